"""Metrics and health of a process that serves no pages, a worker or beat, on a port of its own."""

import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import structlog
from celery import Celery
from celery.signals import worker_ready
from django.conf import settings
from django.db import connection

from operations import metrics

PONG_TIMEOUT = 3.0
"""Seconds that a worker has to reply."""

logger = structlog.get_logger(__name__)


@worker_ready.connect
def serve_worker(*, sender: Any, **more: Any) -> None:
    """Answer on ``METRICS_PORT`` for a worker, whose consumer is the sender."""
    serve_operations(partial(takes_messages, sender.app, sender.hostname))


def serve_operations(is_live: Callable[[], bool]) -> None:
    """Answer ``/metrics`` and ``/health/live`` on ``METRICS_PORT`` of ``METRICS_HOST``, if it is set, once."""
    if settings.METRICS_PORT and not _served.is_set():
        # A worker is ready again after each loss of its broker.
        _served.set()
        server = make_server(
            settings.METRICS_HOST, settings.METRICS_PORT, Operations(is_live), handler_class=_QuietHandler
        )
        threading.Thread(target=server.serve_forever, name="operations", daemon=True).start()


_served = threading.Event()


class Operations:
    """Serves the process's metrics, to clients with the token, and its health over WSGI."""

    def __init__(self, is_live: Callable[[], bool]) -> None:
        """Serve a process that is live while this returns true."""
        self._is_live = is_live

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Return the body of a response."""
        path = environ["PATH_INFO"]
        if path == "/health/live":
            is_live = self._is_live()
            start_response("200 OK" if is_live else "503 Service Unavailable", [("Content-Type", "application/json")])
            return [b'{"status": "live"}' if is_live else b'{"status": "not live"}']
        if path == "/metrics" and metrics.are_for(environ.get("HTTP_AUTHORIZATION", "")):
            start_response("200 OK", [("Content-Type", metrics.CONTENT_TYPE)])
            return [metrics.render_counted(), _render_clock()]
        start_response("404 Not Found", [])
        return [b""]


def takes_messages(app: Celery, hostname: str) -> bool:
    """Return whether a worker replies over the broker: one that hangs, or has lost the broker, does not."""
    try:
        replies = app.control.ping(destination=[hostname], timeout=PONG_TIMEOUT, limit=1)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, nothing can be taken
        logger.warning("worker_not_live", error=type(error).__name__)
        return False
    return bool(replies)


def _render_clock() -> bytes:
    """Return the metric of the host's clock, over a connection that is needed only now."""
    try:
        return metrics.render_clock()
    finally:
        connection.close()


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Log nothing, because these requests come every few seconds."""
