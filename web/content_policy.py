"""The content security policy of all pages."""

from __future__ import annotations

from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class ContentPolicyMiddleware:
    """Sets the policy of the settings on every response; no page has exceptions."""

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
