"""The log line of each request, and the fields that all lines of a request share."""

import logging
import sys
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.core.signals import got_request_exception
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import LazyObject

from web.requests.client_ip import client_ip
from web.requests.outages import is_outage

logger = structlog.get_logger(__name__)


class RequestLogMiddleware:
    """Gives every log line of a request its ``request_id``, its player as ``user_id``, and the ids in its URL.

    It stands inside the middleware that knows the player. At the end a line says ``request_finished``.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=str(uuid.uuid4()), ip=client_ip(request))
        response = self.get_response(request)
        # If no view has asked for the player, a log line is not worth a query.
        if not isinstance(request.user, LazyObject):
            structlog.contextvars.bind_contextvars(user_id=request.user.pk)
        if not getattr(request, "has_failed", False):
            level = logging.ERROR if response.status_code >= 500 else logging.INFO
            logger.log(level, "request_finished", code=response.status_code, request=_describe(request))
        structlog.contextvars.clear_contextvars()
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Note the view and the ids among its arguments."""
        structlog.contextvars.bind_contextvars(**ids_in(kwargs))
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            structlog.contextvars.bind_contextvars(user_id=request.user.pk)


@receiver(got_request_exception, dispatch_uid="config.log_failure")
def log_failure(*, request: HttpRequest, **more: Any) -> None:
    """Log in one line why the request failed: an error of ours, or PostgreSQL or Redis is away."""
    if getattr(request, "has_failed", False):
        return
    request.has_failed = True  # type: ignore[attr-defined]
    error = sys.exc_info()[1]
    if is_outage(error):
        reason = str(error).partition("\n")[0]
        logger.warning("service_away", code=503, request=_describe(request), error=type(error).__name__, reason=reason)
    else:
        logger.error("request_failed", code=500, request=_describe(request), exc_info=error)


def ids_in(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return those arguments that are ids."""
    return {name: value for name, value in arguments.items() if name.endswith("_id")}


def _describe(request: HttpRequest) -> str:
    return f"{request.method} {request.get_full_path()}"
