"""Analyses of finished matches: who may request one, and that each piece is done once, whatever happens to calls."""

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import IntegrityError, transaction

from computers import analysis
from computers.analysis import Analysis, read_verdict, read_verdicts
from computers.jobs import running_jobs_with
from config.celery import app
from config.celery_threads import work_in_background
from matches.errors import MatchNotFound, NoComputer, TooManyAnalyses
from matches.models import AnalysisStatus, Match, MatchAnalysis
from matches.services import call_waiting_analyses, request_analysis, resign
from matches.services.analyses import (
    MAX_ATTEMPTS,
    MAX_HELD_PIECES,
    MAX_REQUESTED,
    PIECE_TIMEOUT,
    RETRY_DELAY,
    Piece,
    claim_piece,
    complete_piece,
    judge,
)
from matches.tasks import analyse_match
from rules_engine.analysis import Verdict, judge_moves
from rules_engine.registry import SPECS, find_engine
from tests.game_specs import change_spec, limit_engines
from tests.matches.analysed import SMALL, finished
from tests.matches.conftest import NOON
from tests.matches.play import play_randomly
from tests.matches.test_races import race

__all__ = ["finished"]

pytestmark = pytest.mark.both_databases

LATER = NOON + timedelta(days=40)


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch):
    """Judge quickly."""
    limit_engines(monkeypatch, SMALL)


@pytest.fixture
def one_at_a_time(monkeypatch):
    """Judge one move in a piece."""
    monkeypatch.setattr(analysis, "MAX_ANALYSIS_SECONDS", -1.0)


@pytest.fixture
def request_for(begin, anna, calls):
    """Return a function that requests analyses of so many matches that end before they begin."""
    return lambda number: [
        request_analysis(match_id=resign(match_id=begin().pk, player=anna, now=NOON).pk, player=anna, now=LATER)
        for _ in range(number)
    ]


@pytest.fixture
def requested(finished, anna, calls):
    return request_analysis(match_id=finished.pk, player=anna, now=LATER)


def reread(analysis: MatchAnalysis) -> MatchAnalysis:
    return MatchAnalysis.objects.get(pk=analysis.pk)


def do_a_piece(analysis: MatchAnalysis, now: Any = LATER) -> bool:
    """Do the next piece, which is one of this analysis; return whether it was there to be done."""
    piece = claim_piece(now=now)
    assert piece is None or (piece.analysis_id, piece.judged) == (analysis.pk, reread(analysis).judged)
    return piece is not None and complete_piece(piece, judge(piece), now=now)


def expected(match: Match) -> list[Verdict]:
    texts = [move.text for move in match.moves.order_by("ply")]
    return list(judge_moves(match.rules.start(), texts, find_engine(match.rules)))


def test_a_player_of_the_match_has_it_analysed(requested, finished, anna):
    assert (requested.status, requested.judged, requested.verdicts) == ("waiting", 0, [])
    assert (requested.match, requested.requested_by, requested.requested_at) == (finished, anna, LATER)
    engine = SPECS["streetsoccer"].engine
    assert (requested.engine, requested.nodes, requested.depth) == (engine.version, SMALL.nodes, 1)


def test_there_is_nothing_to_analyse_where_there_is_no_match(anna):
    with pytest.raises(MatchNotFound):
        request_analysis(match_id=99999, player=anna, now=LATER)


def test_a_game_without_an_engine_is_not_analysed(monkeypatch, finished, anna):
    change_spec(monkeypatch, "streetsoccer", engine=None)
    with pytest.raises(NoComputer):
        request_analysis(match_id=finished.pk, player=anna, now=LATER)


@pytest.mark.django_db(transaction=True)
def test_wanting_it_calls_once_however_many_want_it(calls, finished, anna, piotr):
    calls.clear()
    one = request_analysis(match_id=finished.pk, player=anna, now=LATER)
    other = request_analysis(match_id=finished.pk, player=piotr, now=LATER)
    assert one == other
    assert len(calls) == 1


def test_a_player_has_only_so_many_made_at_a_time(request_for, begin, anna, piotr):
    analyses, last = request_for(MAX_REQUESTED), resign(match_id=begin().pk, player=anna, now=NOON).pk
    with pytest.raises(TooManyAnalyses):
        request_analysis(match_id=last, player=anna, now=LATER)
    assert MatchAnalysis.objects.count() == MAX_REQUESTED
    first = analyses[0].match_id
    assert request_analysis(match_id=first, player=anna, now=LATER) == analyses[0]
    do_a_piece(analyses[0])
    assert request_analysis(match_id=last, player=anna, now=LATER).status == AnalysisStatus.WAITING
    assert request_analysis(match_id=first, player=piotr, now=LATER).status == AnalysisStatus.DONE


def test_it_has_a_verdict_on_every_move(requested, finished):
    while do_a_piece(requested):
        pass
    done = reread(requested)
    assert (done.status, done.judged, done.finished_at, done.held_until) == ("done", finished.ply, LATER, None)
    assert [read_verdict(data) for data in done.verdicts] == expected(finished)


@pytest.mark.usefixtures("one_at_a_time")
@pytest.mark.parametrize("game", ["streetsoccer-online", "paper-soccer-1"])
def test_pieces_put_together_are_the_whole_to_the_last_digit(begin, anna, calls, game):
    match = play_randomly(begin(game), until=14)
    match = resign(match_id=match.pk, player=anna, now=match.last_move_at) if match.side else match
    analysis = request_analysis(match_id=match.pk, player=anna, now=LATER)
    pieces = 0
    while do_a_piece(analysis):
        pieces += 1
        assert reread(analysis).judged == pieces
    assert pieces == match.ply
    assert [read_verdict(data) for data in reread(analysis).verdicts] == expected(match)


@pytest.mark.usefixtures("one_at_a_time")
def test_it_shows_how_far_it_has_come(requested):
    do_a_piece(requested)
    do_a_piece(requested)
    running = reread(requested)
    assert (running.status, running.judged, len(running.verdicts)) == ("running", 2, 2)
    assert (running.started_at, running.finished_at) == (LATER, None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("one_at_a_time")
def test_after_a_piece_the_next_one_is_called_for(requested, calls):
    assert len(calls) == 1
    do_a_piece(requested)
    assert len(calls) == 2


def test_a_call_too_many_does_nothing(requested):
    while do_a_piece(requested):
        pass
    before = MatchAnalysis.objects.values().get()
    analyse_match()
    assert before["status"] == "done"
    assert MatchAnalysis.objects.values().get() == before


def test_of_two_at_once_one_gets_the_piece(requested):
    pieces = [claim_piece(now=LATER) for _ in range(2)]
    assert [piece is None for piece in pieces] == [False, True]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_gets_the_piece_and_one_result_is_stored(requested):
    pieces: list[Piece | None] = []
    race(*[lambda: pieces.append(claim_piece(now=LATER))] * 2)
    assert sorted(piece is None for piece in pieces) == [False, True]
    piece = next(filter(None, pieces))
    verdicts = judge(piece)
    stored: list[bool] = []
    race(*[lambda: stored.append(complete_piece(piece, verdicts, now=LATER))] * 2)
    assert sorted(stored) == [False, True]
    assert reread(requested).judged == len(reread(requested).verdicts) == len(verdicts or [])


@pytest.mark.usefixtures("one_at_a_time")
def test_a_piece_claimed_by_a_worker_that_died_is_done_by_another(requested, finished):
    do_a_piece(requested)
    assert claim_piece(now=LATER) is not None
    assert call_waiting_analyses(now=LATER + PIECE_TIMEOUT - timedelta(seconds=1)) == 0
    assert call_waiting_analyses(now=LATER + PIECE_TIMEOUT) == 1
    assert do_a_piece(requested, LATER + PIECE_TIMEOUT)
    assert [read_verdict(data) for data in reread(requested).verdicts] == expected(finished)[:2]


@pytest.mark.usefixtures("one_at_a_time")
def test_a_piece_that_is_completed_too_late_changes_nothing(requested):
    slow = claim_piece(now=LATER)
    assert do_a_piece(requested, LATER + PIECE_TIMEOUT)
    before = MatchAnalysis.objects.values().get()
    assert complete_piece(slow, judge(slow), now=LATER + PIECE_TIMEOUT) is False
    assert complete_piece(slow, None, now=LATER + PIECE_TIMEOUT) is False
    assert MatchAnalysis.objects.values().get() == before


def fail(job: Any) -> str:
    raise ZeroDivisionError


def test_a_piece_that_fails_is_left_alone_for_a_while(requested):
    with running_jobs_with(fail):
        do_a_piece(requested)
    assert (reread(requested).status, reread(requested).attempts, reread(requested).judged) == ("running", 1, 0)
    assert claim_piece(now=LATER + RETRY_DELAY - timedelta(seconds=1)) is None
    assert call_waiting_analyses(now=LATER + RETRY_DELAY) == 1


def test_a_piece_that_always_fails_is_given_up(requested):
    with running_jobs_with(fail):
        for attempt in range(MAX_ATTEMPTS):
            assert reread(requested).finished_at is None
            do_a_piece(requested, LATER + attempt * RETRY_DELAY)
    given_up = reread(requested)
    assert (given_up.status, given_up.attempts, given_up.judged) == ("failed", MAX_ATTEMPTS, 0)
    assert call_waiting_analyses(now=LATER + timedelta(days=1)) == 0


def test_a_piece_that_kills_its_worker_every_time_is_given_up(requested):
    for attempt in range(MAX_ATTEMPTS):
        assert claim_piece(now=LATER + attempt * PIECE_TIMEOUT) is not None
    assert claim_piece(now=LATER + MAX_ATTEMPTS * PIECE_TIMEOUT) is None
    assert reread(requested).status == AnalysisStatus.FAILED


def test_a_failed_analysis_goes_on_when_it_is_requested_again(requested, piotr):
    MatchAnalysis.objects.update(status="failed", attempts=MAX_ATTEMPTS, finished_at=NOON)
    again = request_analysis(match_id=requested.match_id, player=piotr, now=LATER)
    assert (again.pk, again.status, again.attempts, again.finished_at) == (requested.pk, "waiting", 0, None)
    assert do_a_piece(requested)


def test_a_success_forgets_earlier_failures(requested):
    with running_jobs_with(fail):
        do_a_piece(requested)
    do_a_piece(requested, LATER + RETRY_DELAY)
    assert reread(requested).attempts == 0


def test_no_other_engine_finishes_what_one_has_begun(monkeypatch, requested):
    engine = replace(SPECS["streetsoccer"].engine, version="streetsoccer 99")
    change_spec(monkeypatch, "streetsoccer", engine=engine)
    assert not do_a_piece(requested)
    assert reread(requested).status == AnalysisStatus.FAILED
    anew = request_analysis(match_id=requested.match_id, player=requested.match.yellow, now=LATER)
    assert (anew.pk != requested.pk, anew.engine, anew.judged) == (True, "streetsoccer 99", 0)


def test_only_so_many_go_on_at_a_time_and_the_next_begins_when_one_is_done(request_for):
    analyses = request_for(MAX_HELD_PIECES + 1)
    taken = [claim_piece(now=LATER) for _ in analyses]
    assert [piece is None for piece in taken] == [False] * MAX_HELD_PIECES + [True]
    assert complete_piece(taken[0], judge(taken[0]), now=LATER)
    assert claim_piece(now=LATER).analysis_id == analyses[-1].pk


def test_analyses_that_have_begun_go_on_before_analyses_that_wait(request_for, calls):
    early, late, begun = request_for(3)
    MatchAnalysis.objects.filter(pk=begun.pk).update(status="running", started_at=LATER)
    assert call_waiting_analyses(now=LATER, limit=2) == 2
    assert len(calls) == 2
    claimed = [claim_piece(now=LATER) for _ in range(3)]
    assert [piece and piece.analysis_id for piece in claimed] == [begun.pk, early.pk, None]
    assert reread(late).status == AnalysisStatus.WAITING


def test_a_match_without_moves_is_done_at_once(request_for):
    (analysis,) = request_for(1)
    assert analysis.match.ply == 0
    assert do_a_piece(analysis)
    assert (reread(analysis).status, reread(analysis).verdicts) == ("done", [])


def test_a_match_is_analysed_once_by_each_engine(requested):
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchAnalysis.objects.create(**(MatchAnalysis.objects.values().get() | {"id": None}))


def test_the_computers_queue_takes_it(settings):
    routes = settings.CELERY_TASK_ROUTES
    assert routes["matches.tasks.analyse_match"] == routes["matches.tasks.move_computer"] == {"queue": "computers"}


def test_a_job_begins_anywhere_in_a_match(finished):
    moves = [move.text for move in finished.moves.order_by("ply")]
    state = finished.rules.start()
    for text in moves[:9]:
        state = state.play(text)
    engine = SPECS["streetsoccer"].engine.version
    job = Analysis(finished.game, str(state), tuple(moves[9:]), engine)
    found = read_verdicts(job.run())
    assert found == expected(finished)[9 : 9 + len(found)]


def test_an_unknown_engine_is_an_error(finished):
    with pytest.raises(LookupError, match="not analysed by chess 1"):
        Analysis(finished.game, finished.position, ("x",), "chess 1").run()


@pytest.mark.django_db(transaction=True)
def test_a_call_that_was_lost_is_made_good_when_the_work_starts_again(monkeypatch, finished, anna):
    with monkeypatch.context() as lost:
        lost.setattr(current_app, "send_task", lambda *args, **options: None)
        analysis = request_analysis(match_id=finished.pk, player=anna, now=LATER)
    with work_in_background(app, threads=1):
        for _ in range(6000):
            if reread(analysis).is_finished:
                break
            time.sleep(0.02)
    assert (reread(analysis).status, reread(analysis).judged) == ("done", finished.ply)
