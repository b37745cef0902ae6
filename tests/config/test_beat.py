"""Beat goes by elapsed time, and says when it sends nothing more."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from celery.beat import ScheduleEntry, Scheduler
from structlog.testing import capture_logs

from config import beat
from config.celery import make_app

OFTEN = 0.02


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []

    def send(_scheduler: Scheduler, entry: ScheduleEntry, **_more: Any) -> None:
        names.append(entry.name)

    monkeypatch.setattr(Scheduler, "apply_async", send)
    return names


@pytest.fixture
def scheduler(sent: list[str]) -> beat.ElapsedScheduler:
    app = make_app()
    app.conf.beat_schedule = {
        "often": {"task": "matches.tasks.expire_turns", "schedule": OFTEN},
        "seldom": {"task": "players.tasks.clear_outbox", "schedule": 3600.0},
    }
    return beat.ElapsedScheduler(app=app)


@pytest.mark.parametrize("set_by", [timedelta(days=-1), timedelta(days=1)])
def test_sweeps_go_on_at_their_pace_when_the_clock_is_set(set_by, scheduler, sent) -> None:
    scheduler.tick()
    assert sorted(sent) == ["often", "seldom"]
    with time_machine.travel(datetime.now(UTC) + set_by):
        for number in range(3, 6):
            while len(sent) < number:
                time.sleep(max(scheduler.tick(), 0.001))
    assert sent[2:] == ["often"] * 3


def test_beat_is_live_as_long_as_the_broker_takes_tasks(scheduler, monkeypatch) -> None:
    monkeypatch.setattr(beat, "MAX_SILENCE", 2 * OFTEN)

    def fail(_scheduler: Scheduler, _entry: ScheduleEntry, **_more: Any) -> None:
        raise ConnectionError

    scheduler.tick()
    assert scheduler.is_live()
    monkeypatch.setattr(Scheduler, "apply_async", fail)
    with capture_logs() as lines:
        for _ in range(5):
            time.sleep(OFTEN)
            scheduler.tick()
    assert not scheduler.is_live()
    assert [(line["event"], line["number"]) for line in lines] == [("tasks_not_sent", 1)]
