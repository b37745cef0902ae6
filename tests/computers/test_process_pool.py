"""Processes that run engine jobs: they return results, fail, die and end with the process that started them."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from django.utils import timezone

from computers.analysis import Analysis, read_verdicts
from computers.jobs import BestMove, run_in_thread, run_job
from computers.levels import Level
from computers.process_pool import JobError, ProcessPool, run_jobs_in_processes
from matches.models import Colour, Move
from matches.services import choose_move, play_against_computer, play_choice
from players.models import Player
from rules_engine.analysis import judge_moves
from rules_engine.registry import find_engine, get_game

ROOT = Path(__file__).parent.parent.parent
START = BestMove("streetsoccer-board", str(get_game("streetsoccer-board").start()), "club")
NONSENSE = BestMove("streetsoccer-board", "nonsense", "club")

PARENT = """
from computers.process_pool import ProcessPool
from computers.jobs import BestMove
print(ProcessPool(1).run(BestMove(*{job!r})), flush=True)
input()
"""


@pytest.fixture
def make_pool() -> Iterator[Callable[..., ProcessPool]]:
    """Make pools that end with the test."""
    made: list[ProcessPool] = []

    def make(number: int = 1, **options: float) -> ProcessPool:
        made.append(ProcessPool(number, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def kept_pool() -> Iterator[ProcessPool]:
    """Yield a pool of one process for the tests that leave it as it is."""
    pool = ProcessPool(1)
    yield pool
    pool.close()


@cache
def result_here() -> str:
    """Return what this process finds for the job that most tests run."""
    return run_in_thread(START)


def processes(pool: ProcessPool) -> list[subprocess.Popen[str] | None]:
    return [worker._process for worker in pool._workers]


def test_a_process_returns_what_this_one_would(kept_pool):
    assert kept_pool.run(START) == result_here()


def test_a_process_judges_moves_as_this_one_would(kept_pool):
    game = get_game("paper-soccer-1")
    job = Analysis(game.key, str(game.start()), ("yellow", "0", "0"), find_engine(game).version)
    judged = read_verdicts(kept_pool.run(job))
    assert judged
    assert judged == list(judge_moves(game.start(), job.moves, find_engine(game)))[: len(judged)]


def test_a_process_is_started_when_it_is_needed_and_kept(make_pool):
    pool = make_pool(2)
    assert processes(pool) == [None, None]
    pool.run(START)
    before = processes(pool)
    assert sum(process is not None for process in before) == 1
    pool.run(START)
    assert processes(pool) == before


def test_an_error_of_a_strategy_is_raised_and_the_process_goes_on(kept_pool):
    with pytest.raises(JobError, match="InvalidNotation"):
        kept_pool.run(NONSENSE)
    before = processes(kept_pool)
    assert kept_pool.run(START) == result_here()
    assert processes(kept_pool) == before


def test_a_process_that_was_killed_between_two_jobs_is_replaced(make_pool):
    pool = make_pool()
    pool.run(START)
    (killed,) = processes(pool)
    killed.kill()
    killed.wait()
    assert pool.run(START) == result_here()
    assert processes(pool) != [killed]


def test_a_process_that_is_killed_during_a_job_is_replaced_and_the_job_run_again(make_pool, monkeypatch):
    pool = make_pool()
    pool.run(START)
    (killed,) = processes(pool)
    # As if it ended before it has read what was written to it.
    monkeypatch.setattr(killed, "poll", lambda: None)
    killed.kill()
    assert pool.run(START) == result_here()
    assert processes(pool) != [killed]


def test_a_process_that_takes_too_long_is_killed_and_nobody_waits_any_more(make_pool):
    pool = make_pool(timeout=0.001)
    with pytest.raises(JobError, match="no result after"):
        pool.run(START)
    assert processes(pool) == [None]


def test_more_threads_run_jobs_than_there_are_processes(make_pool):
    pool = make_pool(2)
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(pool.run, [START] * 12)) == [result_here()] * 12


def test_processes_end_with_the_process_that_started_them_even_if_it_is_killed():
    job = (START.game, START.position, START.level)
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(job=job)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout
    assert parent.stdout.readline() == f"{result_here()}\n"
    parent.kill()
    # The process has inherited standard error: this ends when both of them have.
    _output, errors = parent.communicate(timeout=60)
    assert errors == ""


@pytest.mark.django_db
def test_jobs_run_in_the_pool_as_long_as_its_context_lasts(monkeypatch):
    in_pool: list[BestMove] = []
    monkeypatch.setattr(ProcessPool, "run", lambda self, job: [in_pool.append(job), run_in_thread(job)][1])  # type: ignore[func-returns-value]
    with run_jobs_in_processes(1):
        run_job(START)
    run_job(START)
    with run_jobs_in_processes(0):
        run_job(START)
    assert in_pool == [START]


@pytest.mark.django_db
def test_a_match_goes_on_when_every_process_fails(monkeypatch):
    def fail(self: ProcessPool, job: BestMove) -> str:
        raise JobError("out of order")

    monkeypatch.setattr(ProcessPool, "run", fail)
    now = timezone.now()
    anna = Player.objects.create(username="anna")
    match = play_against_computer(
        player=anna, game="streetsoccer-board", colour=Colour.RED, level=Level.STRONG, now=now
    )
    with run_jobs_in_processes(1):
        choice = choose_move(match_id=match.pk)
    assert choice is not None
    play_choice(choice, now=now)
    assert Move.objects.get().text == match.state.legal_moves()[0]
