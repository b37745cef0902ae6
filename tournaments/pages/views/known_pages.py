"""Pages of competitions that a visitor's browser has already: it is told so before anything more is read.

Players get each page anew. It has forms with tokens, messages and what is their own, and no cache may keep it.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers, get_conditional_response, patch_cache_control
from django.utils.translation import get_language

from matches.selectors.site_pauses import find_site_pause
from matches.views.remembered import content_version
from tournaments.pages.selectors.versions import Version
from tournaments.pages.views.shared import ASKED, MAX_ASKED, Shown

OF_KNOWN = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
"""The cookies of those who see something else than other visitors."""

QUERY = {*ASKED, "live"}

View = Callable[..., HttpResponse]


def keeps_for_visitors(view: View) -> View:
    """Return the view, whose pages no cache keeps, but for those of visitors that have an entity tag."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.has_header("ETag"):
            patch_cache_control(response, private=True, no_cache=True)
        else:
            add_never_cache_headers(response)
        return response

    return answer


def known_page(request: HttpRequest, etag: str) -> HttpResponse | None:
    """Return 304 to a visitor who has the page with this entity tag, and ``None`` to whom it has to be made."""
    response = get_conditional_response(request, etag=etag) if etag else None
    return with_tag(response, etag) if isinstance(response, HttpResponse) else None


def with_tag(response: HttpResponse, etag: str) -> HttpResponse:
    """Return the response with its entity tag, if it has one."""
    if etag:
        response["ETag"] = etag
    return response


def page_etag(request: HttpRequest, shown: Shown, *beside: Version) -> str:
    """Return the entity tag of a page for a visitor: of its version, with what is ``beside`` it.

    Empty for players, and for what not all visitors may see.
    """
    asked = request.GET.urlencode()
    is_known = any(name in request.COOKIES for name in OF_KNOWN)
    if is_known or not shown.competition.is_public or not set(request.GET) <= QUERY or len(asked) > MAX_ASKED:
        return ""
    pause = find_site_pause()
    made_of = (
        request.build_absolute_uri(),
        get_language(),
        content_version(),
        getattr(staticfiles_storage, "manifest_hash", ""),
        pause and (pause.expected_until, pause.reason),
        shown.version,
        *beside,
    )
    return f'"{sha256(repr(made_of).encode()).hexdigest()[:32]}"'
