"""Work in the background: the schedule, and the worker as threads of one process."""

import threading

import pytest
from django.conf import settings
from django.db import connection

from config.background import work_in_background
from config.celery import app


def test_everything_on_the_schedule_is_a_task():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled
    assert scheduled <= set(app.tasks)


@pytest.mark.django_db
def test_tests_use_the_broker_that_belongs_to_their_database():
    assert settings.BROKER_URL.startswith("memory:" if connection.vendor == "sqlite" else "redis")


@pytest.mark.django_db(transaction=True)
def test_queued_tasks_run_until_the_context_ends_and_what_is_scheduled_runs_at_the_start(monkeypatch):
    done, swept = threading.Event(), threading.Event()
    monkeypatch.setattr("matches.tasks.expire_due", lambda **_: swept.set())

    @app.task(name="tests.ring")
    def ring():
        done.set()

    before = threading.active_count()
    try:
        with work_in_background(app):
            ring.delay()
            assert done.wait(30)
            assert swept.wait(30)
        assert threading.active_count() <= before + 1
        assert not [thread for thread in threading.enumerate() if thread.name == "worker"]
    finally:
        app.tasks.unregister("tests.ring")
