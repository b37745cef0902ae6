"""Processes that think for the computers: they answer, fail, die and end with whoever started them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.utils import timezone

from computers.analysis import Analysis, read_verdicts
from computers.jobs import BestMove, answer, ask
from computers.levels import Level
from computers.process_pool import JobError, ProcessPool, run_jobs_elsewhere
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
print(ProcessPool(1).ask(BestMove(*{question!r})), flush=True)
input()
"""


@pytest.fixture
def thinkers() -> Iterator[Callable[..., ProcessPool]]:
    """Make thinkers that end with the test."""
    made: list[ProcessPool] = []

    def make(number: int = 1, **options: float) -> ProcessPool:
        made.append(ProcessPool(number, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def processes(thinkers: ProcessPool) -> list[subprocess.Popen[str] | None]:
    return [thinker._process for thinker in thinkers._all]


def test_a_process_answers_as_this_one_would(thinkers):
    assert thinkers().ask(START) == answer(START)


def test_a_process_judges_moves_as_this_one_would(thinkers):
    game = get_game("paper-soccer-1")
    asked = Analysis(game.key, str(game.start()), ("yellow", "0", "0"), find_engine(game).version)
    judged = read_verdicts(thinkers().ask(asked))
    assert judged
    assert judged == list(judge_moves(game.start(), asked.moves, find_engine(game)))[: len(judged)]


def test_a_process_is_started_when_it_is_needed_and_kept(thinkers):
    some = thinkers(2)
    assert processes(some) == [None, None]
    some.ask(START)
    before = processes(some)
    assert sum(process is not None for process in before) == 1
    some.ask(START)
    assert processes(some) == before


def test_what_a_strategy_could_not_answer_is_told_and_the_process_goes_on(thinkers):
    some = thinkers()
    with pytest.raises(JobError, match="InvalidNotation"):
        some.ask(NONSENSE)
    before = processes(some)
    assert some.ask(START) == answer(START)
    assert processes(some) == before


def test_a_process_that_was_killed_between_two_questions_is_replaced(thinkers):
    some = thinkers()
    some.ask(START)
    (killed,) = processes(some)
    killed.kill()
    killed.wait()
    assert some.ask(START) == answer(START)
    assert processes(some) != [killed]


def test_a_process_that_is_killed_over_a_question_is_replaced_and_asked_again(thinkers, monkeypatch):
    some = thinkers()
    some.ask(START)
    (killed,) = processes(some)
    # As if it ended before it has read what was written to it.
    monkeypatch.setattr(killed, "poll", lambda: None)
    killed.kill()
    assert some.ask(START) == answer(START)
    assert processes(some) != [killed]


def test_a_process_that_thinks_for_too_long_is_killed_and_nobody_waits_any_more(thinkers):
    some = thinkers(patience=0.001)
    with pytest.raises(JobError, match="No answer within"):
        some.ask(START)
    assert processes(some) == [None]


def test_more_threads_ask_than_there_are_processes(thinkers):
    some = thinkers(2)
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(some.ask, [START] * 12)) == [answer(START)] * 12


def test_processes_end_with_whoever_started_them_even_if_it_is_killed():
    question = (START.game, START.position, START.level)
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(question=question)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout
    assert parent.stdout.readline() == f"{answer(START)}\n"
    parent.kill()
    # The process has inherited standard error: this ends when both of them have.
    _output, errors = parent.communicate(timeout=60)
    assert errors == ""


@pytest.mark.django_db
def test_computers_ask_elsewhere_as_long_as_they_are_told_to(monkeypatch):
    asked: list[BestMove] = []
    monkeypatch.setattr(ProcessPool, "ask", lambda self, question: [asked.append(question), answer(question)][1])  # type: ignore[func-returns-value]
    with run_jobs_elsewhere(1):
        ask(START)
    ask(START)
    with run_jobs_elsewhere(0):
        ask(START)
    assert asked == [START]


@pytest.mark.django_db
def test_a_match_goes_on_when_every_process_fails(monkeypatch):
    def fail(self: ProcessPool, question: BestMove) -> str:
        raise JobError("out of order")

    monkeypatch.setattr(ProcessPool, "ask", fail)
    now = timezone.now()
    anna = Player.objects.create(username="anna")
    match = play_against_computer(
        player=anna, game="streetsoccer-board", colour=Colour.RED, level=Level.STRONG, now=now
    )
    with run_jobs_elsewhere(1):
        choice = choose_move(match_id=match.pk)
    assert choice is not None
    play_choice(choice, now=now)
    assert Move.objects.get().text == match.state.legal_moves()[0]
