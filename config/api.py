"""The JSON API under ``/api/v1/``, composed of what each app offers."""

from django.urls import include, path

urlpatterns = [
    path("", include("matches.api.urls")),
    path("", include("players.api.urls")),
]
