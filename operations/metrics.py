"""The site's metrics, for Prometheus.

Requests, moves and tasks are counted where they happen. A host's processes count into files in ``METRICS_DIR``, from
which each of them can add them up; without it, each process has its own counts only. The backlog is read from the
database for each request, so every process gives the same answer.
"""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import Error
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from database.clock import measure_ahead
from operations.backlog import WaitingCollector

CONTENT_TYPE = CONTENT_TYPE_LATEST
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

TASKS = Counter("kickabout_tasks", "Tasks that have ended, by outcome.", ["task", "outcome"])
TASK_SECONDS = Histogram("kickabout_task_seconds", "How long tasks took.", ["task"], buckets=(*BOUNDS, 30, 60, 300))


def are_for(authorization: str) -> bool:
    """Return whether the header is ``Bearer`` with the token of the settings; false if that is not set."""
    token = settings.METRICS_TOKEN
    return bool(token) and secrets.compare_digest(authorization.encode(), f"Bearer {token}".encode())


def render_counted() -> bytes:
    """Return the metrics of this host's processes, in Prometheus' format."""
    if not (settings.METRICS_DIR and Path(settings.METRICS_DIR).is_dir()):
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=settings.METRICS_DIR)
    return generate_latest(registry)


class ClockCollector(Collector):
    """Measures how far the clock of this host is ahead of the database's, unless the database is away."""

    def collect(self) -> Iterable[Metric]:
        """Yield it in seconds, negative if the clock is behind."""
        with suppress(Error):
            seconds = measure_ahead().total_seconds()
            name, text = "kickabout_clock_ahead_seconds", "Seconds by which this host is ahead of the database's clock."
            yield GaugeMetricFamily(name, text, value=seconds)


def render_clock() -> bytes:
    """Return the metric of this host's clock, in Prometheus' format."""
    registry = CollectorRegistry()
    registry.register(ClockCollector())
    return generate_latest(registry)


def render_waiting() -> bytes:
    """Return the metrics of the backlog, in Prometheus' format."""
    registry = CollectorRegistry()
    registry.register(WaitingCollector())
    return generate_latest(registry)
