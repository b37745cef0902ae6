"""The requests, tasks and matches to which log lines belong."""

from typing import Any

import pytest
import structlog
from celery import shared_task
from django.test import Client
from structlog.testing import capture_logs

from config.celery import app
from operations.task_metrics import name_request


@pytest.fixture
def lines():
    """Yield what is logged, with the context of each line."""
    with capture_logs() as captured:
        processors = structlog.get_config()["processors"]
        processors.insert(0, structlog.contextvars.merge_contextvars)
        yield captured


@pytest.mark.django_db
def test_the_lines_of_a_request_name_it_and_its_match(client: Client, lines: list[Any]) -> None:
    client.get("/api/v1/matches/12345/")
    finished = next(line for line in lines if line["event"] == "request_finished")
    assert finished["match_id"] == 12345
    assert finished["request_id"]
    assert structlog.contextvars.get_contextvars() == {}


def test_the_lines_of_a_task_name_it_its_match_and_the_request_that_queued_it(lines: list[Any]) -> None:
    @shared_task(name="tests.log")
    def log(match_id: int) -> None:
        structlog.get_logger("tests").info("at_work")

    headers: dict[str, Any] = {}
    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        name_request(headers=headers)
    assert headers == {"request_id": "r-1"}
    try:
        app.tasks["tests.log"].apply(args=[17], task_id="t-1", headers=headers)
    finally:
        app.tasks.unregister("tests.log")
    line = next(line for line in lines if line["event"] == "at_work")
    assert (line["task"], line["task_id"], line["match_id"]) == ("tests.log", "t-1", 17)
    assert structlog.contextvars.get_contextvars() == {}
