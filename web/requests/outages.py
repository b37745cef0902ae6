"""Responses while PostgreSQL or Redis is away, for example during a restart: 503 with ``Retry-After``."""

import sqlite3
import sys
from collections.abc import Iterator

from django.db import Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error

RETRY_AFTER = 5
"""Seconds after which a client should try again: a restarted server is usually back by then."""

AWAY = {"57P01", "57P02", "57P03", "53300", "53100", "57014", "55P03"}
"""PostgreSQL is being stopped, has crashed, is being started, takes no more connections, has no room on its disk, has
ended a statement that took too long, or a wait for a lock."""

FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
"""SQLite has no room for the database or for a file beside it."""


class ServerFullError(OperationalError):
    """No thread that may use the database is free, or too few files."""


CONNECTION_LOST = "08"
"""The class of PostgreSQL's errors about connections."""


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Return the error page: 503 if PostgreSQL or Redis is away, else 500."""
    if not is_outage(sys.exc_info()[1]):
        return server_error(request)
    # Rendered without the request, so that no context processor queries the database.
    response = render(None, "503.html", status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    return response


def is_outage(error: BaseException | None) -> bool:
    """Return whether an error means that PostgreSQL or Redis is away, or a disk full, rather than a fault of ours.

    To be called while the error is handled: it looks at the state of the connection.
    """
    if isinstance(error, (ServerFullError, *_errors_of_redis())):
        return True
    return isinstance(error, Error) and any(_is_loss(each) for each in _chain(error))


def _errors_of_redis() -> tuple[type[BaseException], ...]:
    """Return what its client raises when Redis is away: nothing where the client, which takes 7 MB, is not loaded."""
    redis = sys.modules.get("redis")
    return (redis.ConnectionError, redis.TimeoutError) if redis else ()


def _is_loss(error: BaseException) -> bool:
    if getattr(error.__cause__, "sqlite_errorcode", None) in FULL:
        return True
    state = getattr(error.__cause__, "sqlstate", None)
    if state is not None:
        return state in AWAY or state.startswith(CONNECTION_LOST)
    # Without a state the error is not the server's: the connection is lost, or was misused.
    return isinstance(error, OperationalError | InterfaceError) and _is_disconnected()


def _is_disconnected() -> bool:
    if connection.vendor != "postgresql":
        return False
    return connection.connection is None or bool(connection.connection.closed)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
