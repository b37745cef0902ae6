"""The JSON API under ``/api/v1/``, composed of what each app offers."""

from django.urls import include, path

from streams import views as streams
from web.api.description import DescriptionView
from web.api.docs import show_docs

urlpatterns = [
    path("schema/", DescriptionView.as_view(), name="api-schema"),
    path("docs/", show_docs, name="api-docs"),
    path("echoes/", streams.EchoesView.as_view(), name="api-echoes"),
    path("stream/", streams.PlayerStreamView.as_view(), name="api-stream"),
    path("competitions/<slug:slug>/stream/", streams.CompetitionStreamView.as_view(), name="api-competition-stream"),
    path("matches/<int:match_id>/stream/", streams.MatchStreamView.as_view(), name="api-match-stream"),
    path("", include("matches.api.urls")),
    path("", include("players.api.urls")),
    path("", include("push.api.urls")),
    path("", include("tournaments.desk.api.urls")),
    path("", include("tournaments.api_urls")),
]
