"""The schedule of the single process: what is due runs, together and in order, and nothing wakes in between."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident as thread

import pytest
from celery import Celery

from config.sweeps import THREADS, Sweeps, sweep_in_background

pytestmark = pytest.mark.both_databases

LONG = 3600.0


class Clock:
    """A time that passes only while the sweeps sleep; they are stopped once it has run out."""

    def __init__(self, end: float) -> None:
        self.now = 0.0
        self.end = end
        self.slept: list[float] = []

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        if self.now > self.end:
            return True
        self.slept.append(seconds)
        return False

    def is_set(self) -> bool:
        return False


@pytest.fixture
def tasks() -> Celery:
    return Celery("tests", set_as_current=False)


@pytest.fixture
def add(tasks: Celery) -> Callable[[str, Callable[[], object]], None]:
    def add(name: str, run: Callable[[], object]) -> None:
        def task() -> None:
            run()

        tasks.task(name=name, shared=False)(task)

    return add


@contextmanager
def running(tasks: Celery, **seconds: float) -> Iterator[None]:
    with sweep_in_background(tasks, {name: {"task": name, "schedule": each} for name, each in seconds.items()}):
        yield


def test_each_runs_at_once_and_then_when_it_is_due(tasks, monkeypatch):
    clock = Clock(end=20.0)
    begun: list[tuple[float, str]] = []
    sweeps = Sweeps(tasks, {"slow": 10.0, "quick": 5.0})
    monkeypatch.setattr("config.sweeps.monotonic", lambda: clock.now)
    monkeypatch.setattr(sweeps, "_stopping", clock)
    monkeypatch.setattr(sweeps, "_add", lambda batch: begun.extend((clock.now, name) for name in batch))
    sweeps.keep_time()
    assert begun == [
        (0.0, "quick"),
        (0.0, "slow"),
        (5.0, "quick"),
        (10.0, "quick"),
        (10.0, "slow"),
        (15.0, "quick"),
        (20.0, "quick"),
        (20.0, "slow"),
    ]
    # Two are due at the same time as often as they can be, and nothing wakes in between.
    assert clock.slept == [0.0, 5.0, 5.0, 5.0, 5.0]


def test_a_task_that_was_missed_while_the_machine_slept_runs_once(tasks, monkeypatch):
    clock, begun = Clock(end=1012.0), []
    sweeps = Sweeps(tasks, {"quick": 5.0})
    monkeypatch.setattr("config.sweeps.monotonic", lambda: clock.now)
    monkeypatch.setattr(sweeps, "_stopping", clock)

    def note(batch: list[str]) -> None:
        begun.append(clock.now)
        if clock.now == 5.0:
            clock.now = 1002.0

    monkeypatch.setattr(sweeps, "_add", note)
    sweeps.keep_time()
    assert begun == [0.0, 5.0, 1002.0, 1005.0, 1010.0]


def test_tasks_that_are_due_together_run_in_one_thread_which_then_closes_its_connections(tasks, add, monkeypatch):
    happened = []
    monkeypatch.setattr("config.sweeps.connections.close_all", lambda: happened.append(("closed", thread())))
    add("first", lambda: happened.append(("first", thread())))
    add("second", lambda: happened.append(("second", thread())))
    add("third", lambda: happened.append(("third", thread())))
    done = threading.Event()
    add("last", done.set)
    with running(tasks, second=20.0, last=40.0, third=30.0, first=10.0):
        assert done.wait(30)
    assert [name for name, _thread in happened] == ["first", "second", "third", "closed"]
    assert len({thread for _name, thread in happened}) == 1


@pytest.mark.parametrize("seconds", [{"long": 0.02, "often": 0.01}, {"long": 0.01, "often": 0.02}])
def test_one_that_takes_long_holds_up_no_other_and_is_not_started_again(tasks, add, seconds):
    begun, enough, seen = [], threading.Event(), threading.Event()
    often = []

    def take_long() -> None:
        begun.append(1)
        enough.wait(30)

    def note() -> None:
        often.append(1)
        if len(often) > 3:
            seen.set()

    add("long", take_long)
    add("often", note)
    try:
        with running(tasks, **seconds):
            assert seen.wait(30)
            assert len(begun) == 1
            enough.set()
    finally:
        enough.set()


def test_a_task_that_is_due_again_and_again_while_all_threads_are_taken_runs_once_then(tasks, add, monkeypatch):
    enough, runs = threading.Event(), []

    class LastingClock(Clock):
        def wait(self, seconds: float) -> bool:
            is_over = super().wait(seconds)
            if is_over:
                enough.set()
            return is_over

    clock = LastingClock(end=1000.0)
    for number in range(THREADS):
        add(f"long-{number}", lambda: enough.wait(30))
    add("waits", lambda: runs.append(1))
    sweeps = Sweeps(tasks, {**{f"long-{number}": 5.0 for number in range(THREADS)}, "waits": 5.0})
    monkeypatch.setattr("config.sweeps.monotonic", lambda: clock.now)
    monkeypatch.setattr(sweeps, "_stopping", clock)
    sweeps.keep_time()
    assert runs == [1]


def test_one_that_fails_keeps_none_from_running(tasks, add):
    failed, done = [], threading.Event()

    def fail() -> None:
        failed.append(1)
        raise ValueError("broken")

    add("fails", fail)
    add("runs", done.set)
    with running(tasks, fails=10.0, runs=20.0, unknown=5.0):
        assert done.wait(30)
    assert failed == [1]


def test_nothing_is_left_behind_when_it_ends(tasks, add):
    done = threading.Event()
    add("runs", done.set)
    before = threading.active_count()
    with running(tasks, runs=LONG):
        assert done.wait(30)
    assert threading.active_count() == before
