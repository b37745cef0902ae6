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
    answer = client.get("/api/v1/matches/12345/")
    finished = next(line for line in lines if line["event"] == "request_finished")
    assert (finished["match_id"], finished["route"]) == (12345, "api/v1/matches/<int:match_id>/")
    assert (finished["request_id"], finished["queries"]) == (answer["X-Request-ID"], 1)
    assert 0 < finished["milliseconds"] < 60_000
    assert structlog.contextvars.get_contextvars() == {}


@pytest.mark.django_db
@pytest.mark.parametrize(("given", "is_taken"), [("proxy-7:a.b_C", True), ("two words", False), ("x" * 65, False)])
def test_a_request_has_the_id_that_a_client_or_proxy_gives_it(
    client: Client, lines: list[Any], given: str, is_taken: bool
) -> None:
    answer = client.get("/api/v1/matches/12345/", headers={"X-Request-ID": given})
    finished = next(line for line in lines if line["event"] == "request_finished")
    assert finished["request_id"] == answer["X-Request-ID"]
    assert (answer["X-Request-ID"] == given) is is_taken


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
