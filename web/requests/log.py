"""The log line of each request, and the fields that all lines of a request share."""

import logging
import re
import sys
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from typing import Any

import structlog
from django.conf import settings
from django.core.signals import got_request_exception
from django.db import connections
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import LazyObject

from web.requests.client_ip import client_ip
from web.requests.outages import is_outage

logger = structlog.get_logger(__name__)

REQUEST_ID = "X-Request-ID"
_SOUND_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")


class _Queries:
    """Counts the queries of a request, on all its connections."""

    number = 0

    def __call__(self, execute: Callable[..., Any], *query: Any) -> Any:
        self.number += 1
        return execute(*query)


class RequestLogMiddleware:
    """Gives every log line of a request its ``request_id``, its player as ``user_id``, and the ids in its URL.

    The id is the client's or a proxy's ``X-Request-ID`` if that is sound, and stands in the answer. It stands inside
    the middleware that knows the player. At the end a line says ``request_finished``, with the route, the milliseconds
    and the number of queries.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        structlog.contextvars.clear_contextvars()
        given = request.headers.get(REQUEST_ID, "")
        request_id = given if _SOUND_ID.fullmatch(given) else str(uuid.uuid4())
        structlog.contextvars.bind_contextvars(request_id=request_id, ip=client_ip(request))
        begun, queries = perf_counter(), _Queries()
        with ExitStack() as counting:
            for connection in connections.all():
                counting.enter_context(connection.execute_wrapper(queries))
            response = self.get_response(request)
        response[REQUEST_ID] = request_id
        # If no view has asked for the player, a log line is not worth a query.
        if not isinstance(request.user, LazyObject):
            structlog.contextvars.bind_contextvars(user_id=request.user.pk)
        if not getattr(request, "has_failed", False):
            level = logging.ERROR if response.status_code >= 500 else logging.INFO
            logger.log(
                level,
                "request_finished",
                code=response.status_code,
                request=_describe(request),
                route=request.resolver_match.route if request.resolver_match else None,
                milliseconds=round((perf_counter() - begun) * 1000, 1),
                queries=queries.number,
            )
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
