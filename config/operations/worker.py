"""A worker's own numbers, on a port of its own: the tasks that its processes have run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from celery.signals import worker_ready
from django.conf import settings

from config.operations import metrics


@worker_ready.connect
def serve_metrics(**more: Any) -> None:
    """Answer ``/metrics`` on ``METRICS_PORT``, if it is set, for whoever has the token."""
    if settings.METRICS_PORT:
        server = make_server("", settings.METRICS_PORT, answer, handler_class=_QuietHandler)
        threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """The numbers, or 404 for everybody else."""
    if environ["PATH_INFO"] != "/metrics" or not metrics.are_for(environ.get("HTTP_AUTHORIZATION", "")):
        start_response("404 Not Found", [])
        return [b""]
    start_response("200 OK", [("Content-Type", metrics.CONTENT_TYPE)])
    return [metrics.render_counted()]


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        """What asks every few seconds is no news."""
