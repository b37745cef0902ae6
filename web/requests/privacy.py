"""Cache headers that keep private responses out of caches, and secret URLs out of ``Referer``."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers

from web.requests.redaction import is_secret_path

CALLER = ("Authorization", "Cookie")
"""The headers that identify the caller."""

SHOWN_BY_BACK = "private, max-age=0"
"""What a page has that answers a form: a browser can go back only to what it may keep, and asks for all else again."""

READING = frozenset({"GET", "HEAD"})


class PrivacyMiddleware:
    """Sets on every response who may cache it.

    No cache may keep a response to a known caller, to a write, with a cookie or behind a secret URL; with an entity tag
    the caller's own cache may keep it and revalidate it each time. For what visitors read the view decides, and for
    what never changes, which is the same for all callers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, with its headers for caches."""
        response = self.get_response(request)
        said = response.get("Cache-Control", "")
        is_secret = is_secret_path(request.path_info)
        if is_secret:
            # Not "no-referrer": without the site's own name the forms behind these URLs would be refused.
            response["Referrer-Policy"] = "strict-origin"
        if "public" in said:
            return response
        patch_vary_headers(response, CALLER)
        # A response that browsers may keep for good is the same for every caller.
        is_for_good = "immutable" in said and not is_secret and not response.cookies
        if (
            "no-store" in said
            or said == SHOWN_BY_BACK
            or is_for_good
            or not (is_secret or _is_private(request, response))
        ):
            return response
        if response.has_header("ETag"):
            patch_cache_control(response, private=True, no_cache=True)
        else:
            response["Cache-Control"] = "no-store"
        return response


def _is_private(request: HttpRequest, response: HttpResponseBase) -> bool:
    is_known = "Authorization" in request.headers or settings.SESSION_COOKIE_NAME in request.COOKIES
    return is_known or request.method not in READING or bool(response.cookies)
