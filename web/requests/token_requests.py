"""Requests of programs with a token, which pass only the middleware that is of use to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject
from django.utils.module_loading import import_string

from web.api.problems import API

SCHEME = "bearer "


class TokenRequestsMiddleware:
    """Sends requests to the API that have a token, and no session beside it, through ``TOKEN_MIDDLEWARE``.

    Sessions, forms, messages and all that follows from these are for browsers: it stands in front of them. The answers
    to such a request are the same on both ways, with all their headers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site, and make the short way beside it."""
        self.get_response = get_response
        self._short_way = ShortWay(settings.TOKEN_MIDDLEWARE)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        return self._short_way(request) if has_only_token(request) else self.get_response(request)


class ShortWay(BaseHandler):
    """Views behind a list of middleware of its own. All of it is synchronous."""

    def __init__(self, paths: Sequence[str]) -> None:
        """Load the middleware, the outermost first, as Django loads the site's."""
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        handler: Any = convert_exception_to_response(self._get_response)  # type: ignore[attr-defined]
        for path in reversed(paths):
            middleware = import_string(path)(handler)
            if hasattr(middleware, "process_view"):
                self._view_middleware.insert(0, middleware.process_view)
            if hasattr(middleware, "process_template_response"):
                self._template_response_middleware.append(middleware.process_template_response)
            if hasattr(middleware, "process_exception"):
                self._exception_middleware.append(middleware.process_exception)
            handler = convert_exception_to_response(middleware)
        self._answer = handler

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response to a request, whose player only the view finds out."""
        request.user = SimpleLazyObject(AnonymousUser)  # type: ignore[assignment]
        response: HttpResponseBase = self._answer(request)
        return response


def has_only_token(request: HttpRequest) -> bool:
    """Return whether it is a request to the API with a token, right or wrong, and without the cookie of a session."""
    return (
        request.META.get("HTTP_AUTHORIZATION", "")[: len(SCHEME)].lower() == SCHEME
        and request.path_info.startswith(API)
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
    )
