"""The organisers' addresses under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from tournaments.api.organising import entries, events, fixtures

EVENT = "events/<slug:slug>/"

urlpatterns = [
    path(f"{EVENT}open/", events.OpenView.as_view()),
    path(f"{EVENT}close/", events.CloseView.as_view()),
    path(f"{EVENT}start/", events.StartView.as_view()),
    path(f"{EVENT}pause/", events.PauseView.as_view()),
    path(f"{EVENT}resume/", events.ResumeView.as_view()),
    path(f"{EVENT}finish/", events.FinishView.as_view()),
    path(f"{EVENT}cancel/", events.CancelView.as_view()),
    path(f"{EVENT}announcements/", events.AnnouncementsView.as_view()),
    path(f"{EVENT}draw/", events.DrawView.as_view()),
    path(f"{EVENT}admissions/", entries.AdmissionsView.as_view()),
    path(f"{EVENT}import/", entries.ImportView.as_view()),
    path(f"{EVENT}export/<str:what>.<str:form>", entries.ExportView.as_view()),
    path(f"{EVENT}entries/<int:entry_id>/withdraw/", entries.WithdrawView.as_view()),
    path(f"{EVENT}entries/<int:entry_id>/replace/", entries.ReplaceView.as_view()),
    path(f"{EVENT}fixtures/<int:fixture_id>/adjudicate/", fixtures.AdjudicateView.as_view()),
    path(f"{EVENT}fixtures/<int:fixture_id>/annul/", fixtures.AnnulView.as_view()),
    path(f"{EVENT}fixtures/<int:fixture_id>/replay/", fixtures.ReplayView.as_view()),
    path(f"{EVENT}fixtures/<int:fixture_id>/extend/", fixtures.ExtendView.as_view()),
    path(f"{EVENT}rounds/<int:number>/end/", fixtures.EndRoundView.as_view()),
    path(f"{EVENT}rounds/<int:number>/date/", fixtures.RoundDateView.as_view()),
]
