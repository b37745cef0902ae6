"""The addresses of events and ratings under ``/api/v1/``. That of all events is config's, where it streams too."""

from __future__ import annotations

from django.urls import path

from tournaments.api import entering, events, ratings

urlpatterns = [
    path("events/<slug:slug>/", events.EventView.as_view(), name="api-event"),
    path("events/<slug:slug>/standings/", events.StandingsView.as_view(), name="api-standings"),
    path("events/<slug:slug>/places/", events.PlacesView.as_view(), name="api-places"),
    path("events/<slug:slug>/bracket/", events.BracketView.as_view(), name="api-bracket"),
    path("events/<slug:slug>/fixtures/", events.FixturesView.as_view(), name="api-fixtures"),
    path("events/<slug:slug>/log/", events.LogView.as_view(), name="api-event-log"),
    path("events/<slug:slug>/enter/", entering.EnterView.as_view(), name="api-enter"),
    path("events/<slug:slug>/leave/", entering.LeaveView.as_view(), name="api-leave"),
    path("events/<slug:slug>/challenges/", entering.ChallengesView.as_view(), name="api-challenges"),
    path("ratings/", ratings.RatingsView.as_view(), name="api-ratings"),
    path("players/<str:username>/ratings/", ratings.PlayerRatingsView.as_view(), name="api-player-ratings"),
    path("players/<str:username>/rating-changes/", ratings.RatingHistoryView.as_view(), name="api-rating-changes"),
    path("players/<str:username>/events/", ratings.PlayerEventsView.as_view(), name="api-player-events"),
]
