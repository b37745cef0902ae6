"""The URLs with which competitions are made, changed and made again."""

from django.urls import URLPattern, path

from tournaments.making.views import drafts, series


def making_urls(kind: str) -> list[URLPattern]:
    """Return the organisers' URLs of one kind of competition, ``"ladder"`` or ``"cup"``."""
    base = f"{kind}s/<slug:slug>/organise/"
    options = {"kind": kind}
    return [
        path(f"{base}edit/", drafts.edit, options),
        path(f"{base}delete/", drafts.delete, options),
        path(f"{base}copy/", drafts.copy, options),
        path(f"{base}series/", series.organise_series, options),
    ]


urlpatterns = [
    path("make/", drafts.choose_recipe, name="make"),
    path("make/<slug:recipe>/", drafts.make, name="make-from"),
    *making_urls("ladder"),
    *making_urls("cup"),
]
