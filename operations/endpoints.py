"""The endpoints for monitoring: ``/health/live``, ``/health/ready`` and ``/metrics``."""

import tempfile
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic

import structlog
from celery import current_app
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase

from database.clock import MAX_AHEAD, measure_ahead
from database.migration_state import read_migration_state
from operations import metrics
from operations.signs_of_life import BEAT, WORKERS, is_gone

CHECK_TIMEOUT = 2
"""Seconds that the broker has to reply."""

WRITE_INTERVAL = 10
"""Seconds for which a process remembers whether it could write, so that frequent checks cost nothing."""

WRITTEN = 200_000
"""The number of bytes that are written and removed again: more than a move needs."""

SPILL = "SELECT count(*) FROM (SELECT repeat('x', 100), n FROM generate_series(1, %s) AS n ORDER BY 2, 1) AS sorted"
"""A query that sorts more than fits into the smallest memory, so that PostgreSQL writes to its disk. No table and no
log grows."""

logger = structlog.get_logger(__name__)

_migrated: set[str] = set()


class _LastWrite:
    """The moment when the last write was tried, by the monotonic clock, and whether it succeeded."""

    at = -inf
    passed = False


def check_all() -> dict[str, bool]:
    """Return each check's name and whether it passed. The reasons are logged, not returned."""
    return {name: _passes(name, check) for name, check in CHECKS.items()}


def _passes(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the site is not ready
        logger.warning("not_ready", check=name, error=type(error).__name__)
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _disk_has_room() -> bool:
    if monotonic() - _LastWrite.at >= WRITE_INTERVAL:
        _LastWrite.at, _LastWrite.passed = monotonic(), False
        _write_and_remove()
        _LastWrite.passed = True
    return _LastWrite.passed


def _write_and_remove() -> None:
    """Write to the database's disk. Raises the error that this causes."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute(SPILL, [WRITTEN // 100])
    else:
        with tempfile.TemporaryFile(dir=Path(connection.settings_dict["NAME"]).parent) as file:
            file.write(bytes(WRITTEN))


def _migrations_are_applied() -> bool:
    """Return whether all migrations are applied; true is cached, as they are only undone while the site is stopped."""
    database = str(connection.settings_dict["NAME"])
    if database not in _migrated:
        if read_migration_state().missing:
            return False
        _migrated.add(database)
    return True


def _broker_answers() -> bool:
    if settings.BROKER_URL != settings.IN_MEMORY:
        with current_app.connection_for_write(connect_timeout=CHECK_TIMEOUT) as broker:
            broker.ensure_connection(max_retries=1, timeout=CHECK_TIMEOUT)
    return True


def _clock_is_right() -> bool:
    """Return whether this host's clock is that of the database but for two seconds; if not, the log says how far."""
    ahead = measure_ahead()
    if abs(ahead) <= MAX_AHEAD:
        return True
    logger.warning("clock_is_wrong", seconds_ahead=ahead.total_seconds())
    return False


def _work_is_done() -> bool:
    return not is_gone(WORKERS)


def _work_is_sent() -> bool:
    return not is_gone(BEAT)


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_answers,
    "disk": _disk_has_room,
    "migrations": _migrations_are_applied,
    "broker": _broker_answers,
    "clock": _clock_is_right,
    WORKERS: _work_is_done,
    BEAT: _work_is_sent,
}


class OperationsMiddleware:
    """Answers these paths before all other middleware.

    Monitoring asks from within the machine: by any host name, without https, cookies or a session. Nothing is logged or
    cached.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response of an endpoint, or the site's response."""
        answer = ANSWERS.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        response = answer(request) if request.method in {"GET", "HEAD"} else HttpResponseNotAllowed(["GET", "HEAD"])
        response["Cache-Control"] = "no-store"
        return response


def _live(request: HttpRequest) -> HttpResponse:
    """Return 200, because this process lives."""
    return JsonResponse({"status": "live"})


def _ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if all health checks pass, else 503."""
    checks = check_all()
    ready = all(checks.values())
    body = {
        "status": "ready" if ready else "not ready",
        "checks": {name: "ok" if passed else "failed" for name, passed in checks.items()},
    }
    return JsonResponse(body, status=200 if ready else 503)


def _metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics, to clients with the token."""
    if not metrics.are_for(request.headers.get("Authorization", "")):
        return HttpResponse(status=404)
    return HttpResponse(
        metrics.render_counted() + metrics.render_clock() + metrics.render_waiting(), content_type=metrics.CONTENT_TYPE
    )


ANSWERS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/health/live": _live,
    "/health/ready": _ready,
    "/metrics": _metrics,
}
