"""Work in the background: the schedule, and the worker as threads of one process."""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from celery import Task
from celery.worker import WorkController
from django.conf import settings
from django.db import connection

from config import celery_threads
from config.celery import app, make_app
from config.celery_threads import work_in_background
from config.queues import QUEUES, routes

pytestmark = pytest.mark.both_databases


@pytest.fixture(autouse=True)
def no_messages():
    """Forget what tests before have queued: workers would do it here."""
    with app.connection_for_write() as broker:
        for name in QUEUES:
            app.amqp.queues[name](broker.default_channel).purge()


@pytest.fixture
def add_task(request: pytest.FixtureRequest) -> Iterator[Callable[[Callable[..., object]], Task]]:
    """Register work as a task of the site until the test has ended."""
    added: list[Task] = []

    def add(work: Callable[..., object]) -> Task:
        def run(*given: Any) -> None:
            work(*given)

        added.append(app.task(run, name=f"tests.{request.node.name}"))
        return added[-1]

    yield add
    for task in added:
        app.tasks.unregister(task.name)


def test_everything_on_the_schedule_is_a_task():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled
    assert scheduled <= set(app.tasks)


@pytest.mark.django_db
def test_tests_use_the_broker_that_belongs_to_their_database():
    assert settings.BROKER_URL.startswith("memory:" if connection.vendor == "sqlite" else "redis")


@pytest.mark.django_db(transaction=True)
def test_queued_tasks_run_until_the_context_ends_and_what_is_scheduled_runs_at_the_start(add_task, monkeypatch):
    done, swept = threading.Event(), threading.Event()
    monkeypatch.setattr("matches.tasks.expire_due", lambda **_: swept.set())
    task = add_task(done.set)
    before = threading.active_count()
    with work_in_background(app):
        task.delay()
        assert done.wait(30)
        assert swept.wait(30)
    assert threading.active_count() <= before + 1
    assert not [thread for thread in threading.enumerate() if thread.name == "worker"]


def test_a_computers_turn_waits_in_a_queue_of_its_own_and_everything_else_in_the_usual_one():
    app.loader.import_default_modules()
    queues = {
        name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if not name.startswith("celery.")
    }
    assert queues.pop("matches.tasks.move_computer") == "computers"
    assert queues["matches.tasks.sweep_computers"] == queues["matches.tasks.expire_turns"] == "celery"


def test_a_site_can_split_the_usual_queue_by_kinds_of_work():
    app.loader.import_default_modules()
    split = routes(by_kind=True)
    assert routes(by_kind=False).items() <= split.items()
    assert split["matches.tasks.expire_turns"] == {"queue": "clocks"}
    assert split["tournaments.tasks.settle_match"] == {"queue": "results"}
    assert split["players.tasks.send_due_mails"] == {"queue": "mails"}
    assert split.keys() <= app.tasks.keys()
    assert {route["queue"] for route in split.values()} | {"celery"} == set(QUEUES)


@pytest.mark.django_db(transaction=True)
def test_a_worker_of_the_single_process_that_cannot_go_on_is_replaced(add_task, monkeypatch):
    done, ended = threading.Event(), []
    begin = WorkController.start

    def fail_once(worker):
        if worker.hostname not in ended:
            ended.append(worker.hostname)
        else:
            begin(worker)

    monkeypatch.setattr(WorkController, "start", fail_once)
    monkeypatch.setattr("config.celery_threads.RESTART_DELAY", 0.01)
    task = add_task(done.set)
    with work_in_background(app):
        task.delay()
        assert done.wait(30)
    assert len(ended) == 2


def test_both_workers_of_the_single_process_know_all_tasks_when_they_start(single_process: Any):
    known = single_process["known"]
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert set(known) == {"celery", "computers"}
    assert [scheduled - set(tasks) for tasks in known.values()] == [set(), set()]


@pytest.mark.django_db(transaction=True)
def test_a_worker_of_the_single_process_that_cannot_be_made_is_made_again(add_task, monkeypatch):
    done, failed, logged = threading.Event(), [], []
    make: Callable[..., WorkController] = celery_threads._make_worker

    def fail_once(app: Any, queues: list[str], threads: int) -> WorkController:
        if queues not in failed:
            failed.append(queues)
            raise OSError("the broker is away")
        return make(app, queues, threads)

    monkeypatch.setattr(celery_threads, "_make_worker", fail_once)
    monkeypatch.setattr(celery_threads, "RESTART_DELAY", 0.01)
    monkeypatch.setattr(
        celery_threads.logger, "exception", lambda event, queues: logged.append((event, queues[0])), raising=False
    )
    task = add_task(done.set)
    with work_in_background(app):
        task.delay()
        assert done.wait(30)
    assert sorted(logged) == [("worker_failed", "celery"), ("worker_failed", "computers")]


def test_a_worker_without_the_option_takes_from_all_queues():
    assert set(make_app().amqp.queues.consume_from) == {"celery", "computers", "clocks", "results", "mails"}


@pytest.mark.django_db(transaction=True)
def test_the_single_process_takes_from_all_queues(add_task):
    # Computers have an app of their own, which knows nothing of the test's task.
    done = {name: threading.Event() for name in QUEUES if name != "computers"}
    task = add_task(lambda queue: done[queue].set())
    with work_in_background(app):
        for name in done:
            task.apply_async([name], queue=name)
        assert all(event.wait(30) for event in done.values())


@pytest.mark.django_db(transaction=True)
def test_a_computer_that_thinks_holds_up_nobody_else(add_task, monkeypatch):
    thinks, done, enough = threading.Event(), threading.Event(), threading.Event()

    def think(*, now: datetime) -> None:
        thinks.set()
        enough.wait(60)

    monkeypatch.setattr("matches.tasks.computer_moves.claim_turn", think)
    task = add_task(done.set)
    try:
        with work_in_background(app, threads=1, computers=1):
            for _ in range(5):
                app.send_task("matches.tasks.move_computer")
            assert thinks.wait(30)
            task.delay()
            assert done.wait(30)
            enough.set()
    finally:
        enough.set()
