"""The pictures that links to competitions show elsewhere."""

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.office.views import find_competition
from tournaments.pages.pictures.link_preview import draw_link_preview
from tournaments.pages.sentences import preview_of
from web.requests.conditional import with_etag

MAX_AGE = 3600
"""The seconds for which a picture is kept: here, by browsers, and by caches before the site."""


@require_safe
@cache_control(public=True, max_age=MAX_AGE)
def link_preview(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the picture of a competition as PNG. Nobody is asked who they are, so that a draft has none."""
    preview = preview_of(find_competition(kind, slug, None))
    key = f"link-preview:{preview.digest}"
    picture = cache.get(key)
    if picture is None:
        picture = draw_link_preview(preview)
        cache.set(key, picture, MAX_AGE)
    return with_etag(request, HttpResponse(picture, content_type="image/png"))
