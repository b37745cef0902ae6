"""The organisers' URLs under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.organisers import copies, draw, lists
from tournaments.api.organisers.acts import act_urls

COMPETITION = "competitions/<slug:slug>/"

urlpatterns = [
    *act_urls(COMPETITION),
    path(f"{COMPETITION}copy/", copies.CopyView.as_view()),
    path(f"{COMPETITION}draw/", draw.DrawView.as_view()),
    path(f"{COMPETITION}import/", lists.ImportView.as_view()),
]
