"""All URLs of the site: the apps' pages, the JSON API and the admin."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api_urls")),
    path("", include("web.urls")),
    path("", include("push.urls")),
    path("", include("players.urls")),
    path("", include("matches.urls")),
    path("", include("tournaments.urls")),
]

handler500 = "web.requests.outages.answer_failure"
