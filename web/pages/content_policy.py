"""The content security policy of all pages, and the other one of those that any site may show in a frame."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.constants import HEADER, NONE
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

ANY_SITE = "*"


def embeddable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let any site show the page of a view in a frame.

    Such a page must know nobody: a site that lays its own page over the frame would have its visitors' clicks. So it
    has no scripts, forms or requests either.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers[HEADER] = build_policy(
            replace={
                "frame-ancestors": [ANY_SITE],
                "script-src": [NONE],
                "connect-src": [NONE],
                "worker-src": [NONE],
                "form-action": [NONE],
            }
        )
        response.xframe_options_exempt = True
        return response

    return answer


class ContentPolicyMiddleware:
    """Sets the policy of the settings on every response that has no other one from ``embeddable``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response
        self._policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, with the policy."""
        response = self.get_response(request)
        if settings.DEBUG and response.status_code in {404, 500}:
            # Django's pages for programmers bring their own styles and scripts.
            return response
        response.headers.setdefault(HEADER, self._policy)
        return response
