"""Metrics and log fields of tasks, and when they began."""

from inspect import signature
from time import perf_counter
from typing import Any

import structlog
from celery import Task
from celery.signals import before_task_publish, task_postrun, task_prerun

from database.clock import arriving
from operations.metrics import TASK_SECONDS, TASKS
from operations.signs_of_life import WORKERS, give_sign
from web.requests.log import ids_in

COMPUTERS = "computers"
"""The queue of engine jobs."""

_ARRIVAL = "kickabout_arrival"
_BEGUN = "kickabout_begun"
_REQUEST_ID = "request_id"


@before_task_publish.connect
def name_request(*, headers: dict[str, Any], **more: Any) -> None:
    """Add the id of the request that queued the task to its headers."""
    if request_id := structlog.contextvars.get_contextvars().get(_REQUEST_ID):
        headers[_REQUEST_ID] = request_id


@task_prerun.connect
def begin_task(*, task_id: str, task: Task, args: Any, kwargs: Any, **more: Any) -> None:
    """Note when the task begins, start its timer, and bind its ids to its log lines."""
    arrival = arriving()
    arrival.__enter__()
    setattr(task.request, _ARRIVAL, arrival)
    given = signature(task.run).bind_partial(*args, **kwargs).arguments
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(task=task.name, task_id=task_id, **ids_in(given))
    if request_id := getattr(task.request, _REQUEST_ID, None):
        structlog.contextvars.bind_contextvars(request_id=request_id)
    setattr(task.request, _BEGUN, perf_counter())


@task_postrun.connect
def end_task(*, task: Task, state: str | None = None, **more: Any) -> None:
    """Count the task by its outcome: ``success``, ``failure``, ``retry``, or ``unknown`` if it was killed."""
    begun = getattr(task.request, _BEGUN, None)
    if begun is not None:
        TASK_SECONDS.labels(task.name).observe(perf_counter() - begun)
    TASKS.labels(task.name, (state or "unknown").lower()).inc()
    structlog.contextvars.clear_contextvars()
    # Processes for the computers have nothing to do for hours.
    if (task.request.delivery_info or {}).get("routing_key") != COMPUTERS:
        give_sign(WORKERS)
    if (arrival := getattr(task.request, _ARRIVAL, None)) is not None:
        arrival.__exit__(None, None, None)
