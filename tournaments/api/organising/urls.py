"""The organisers' addresses under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.organising import draw, lists
from tournaments.api.organising.acts import act_urls

EVENT = "events/<slug:slug>/"

urlpatterns = [
    *act_urls(EVENT),
    path(f"{EVENT}draw/", draw.DrawView.as_view()),
    path(f"{EVENT}import/", lists.ImportView.as_view()),
    path(f"{EVENT}export/<str:what>.<str:form>", lists.ExportView.as_view()),
]
