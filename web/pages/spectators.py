"""Pages for those whom the site does not know: they may be read from a replica, which is some moments behind."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from database.replica import has_replica, leave_alone, reading_replica
from web.errors import DomainError

View = Callable[..., HttpResponseBase]

logger = structlog.get_logger(__name__)


def for_spectators(view: View) -> View:
    """Return the view, which reads from the replica if there is one, and neither a session nor a token is sent.

    A visitor who has one is a player or may be one, and must never see an older state of their own. The
    primary answers what the replica does not have yet or refuses, and everything while the replica is away or its
    tables are those of an earlier version.
    """

    @wraps(view)
    def read(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not (has_replica() and _is_spectator(request)):
            return view(request, *args, **kwargs)
        try:
            with reading_replica():
                response = view(request, *args, **kwargs)
                if hasattr(response, "render"):
                    # The template reads from the same database.
                    response.render()
                return response
        except (Http404, DomainError):
            pass
        except (DatabaseError, InterfaceError) as error:
            leave_alone()
            logger.warning("replica_away", error=str(error))
        return view(request, *args, **kwargs)

    return read


def _is_spectator(request: HttpRequest) -> bool:
    is_known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    return request.method in {"GET", "HEAD"} and not is_known
