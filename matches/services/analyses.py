"""Analyses of finished matches: requested by a player, then judged a few moves at a time.

A piece of the work is identified by its analysis and the number of moves judged before it, so that it may be lost, or
done twice, or by any worker. A call names no piece: a free worker claims the next one, each player's in turn.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import Case, F, IntegerField, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from computers.analysis import Analysis, read_verdicts, write_verdict
from computers.jobs import run_job
from database.named_locks import lock_name
from matches.errors import MatchNotOver, NoComputer, NotYourMatch, TooManyAnalyses
from matches.models import AnalysisStatus, MatchAnalysis, QueueName, Status
from matches.models.analysis import UNFINISHED
from matches.selectors.analyses import count_held, count_unfinished, free_analyses, is_free, state_and_moves
from matches.selectors.matches import get_match
from matches.services.engine_queues import charge, client_of, find_next, forget_shares, lock_queue
from players.models import Player
from players.services.budgets import spending_of
from rules_engine.analysis import Engine, Verdict
from rules_engine.registry import find_engine
from web.limits.table import ANALYSES

ANALYSE_MATCH = "matches.tasks.analyse_match"

MAX_HELD_PIECES = 2
"""The most pieces that workers hold at a time, so that some worker is left for computers that are to move."""

PIECE_TIMEOUT = timedelta(seconds=120)
"""The time for which a piece is left to the worker that has claimed it."""

RETRY_DELAY = timedelta(seconds=30)
"""The delay before the next attempt at a piece that has failed."""

MAX_ATTEMPTS = 3

MAX_REQUESTED = 5
"""The most analyses requested by one player that may be unfinished."""

SWEEP_DELAY = timedelta(seconds=10)
"""The interval at which lost calls are repeated."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Piece:
    """The next moves of an analysis: those after the first ``judged`` of ``plies``, and the job that judges them."""

    analysis_id: int
    match_id: int
    judged: int
    plies: int
    job: Analysis


def request_analysis(*, match_id: int, player: Player, now: datetime) -> MatchAnalysis:
    """Return the analysis of a finished match for one of its players, started again if it had failed.

    Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchNotOver``, ``NoComputer`` if no engine judges the game,
    ``TooManyAnalyses`` or ``BudgetSpent``.
    """
    match = get_match(match_id)
    if match.side_of(player.pk) is None:
        raise NotYourMatch(_("Only the players of a match can ask for its analysis. Everybody can then see it."))
    if match.status != Status.FINISHED:
        raise MatchNotOver(_("A match can be analysed only when it is over."))
    engine = find_engine(match.rules)
    if engine is None:
        raise NoComputer(_("The computer cannot analyse %(game)s.") % {"game": match.rules.title})
    with transaction.atomic():
        analysis, is_new = MatchAnalysis.objects.get_or_create(
            match=match,
            **_columns(engine),
            defaults={"requested_by": player, "requested_at": now},
        )
        is_restarted = MatchAnalysis.objects.filter(pk=analysis.pk, status=AnalysisStatus.FAILED).update(
            status=AnalysisStatus.WAITING,
            requested_by=player,
            requested_at=now,
            finished_at=None,
            held_until=None,
            attempts=0,
        )
        if is_new or is_restarted:
            lock_name(f"analyses of player {player.pk}")
            if count_unfinished(player) > MAX_REQUESTED:
                raise TooManyAnalyses(
                    _("You are already waiting for %(most)d analyses. Wait until one is done.")
                    % {"most": MAX_REQUESTED}
                )
            with spending_of(player, ANALYSES, now=now):
                analysis.refresh_from_db()
                transaction.on_commit(call_for_piece, robust=True)
    analysis.match = match
    return analysis


def claim_piece(*, now: datetime) -> Piece | None:
    """Claim the next piece for the caller and return it; ``None`` if there is none, or if enough are held.

    Players take turns; of one player's analyses those that have begun go first, then the oldest. An analysis fails if
    it was claimed ``MAX_ATTEMPTS`` times without a result, or if its engine no longer exists.
    """
    while free_analyses(now).exists():
        with transaction.atomic():
            queue = lock_queue(QueueName.ANALYSES)
            waiting = find_next(queue, _for_clients(free_analyses(now)), "begun", "requested_at")
            if waiting is None or count_held(now=now) >= MAX_HELD_PIECES:
                return None
            held = _hold(MatchAnalysis.objects.get(pk=waiting.pk), now)
            if held is not None:
                charge(queue, waiting)
        if held is not None:
            return _piece(held)
    return None


def judge(piece: Piece) -> list[Verdict] | None:
    """Return the verdicts on a piece's first moves, as many as its job returns, or ``None`` if it failed.

    Stores nothing.
    """
    if not piece.job.moves:
        return []
    try:
        return read_verdicts(run_job(piece.job))
    except Exception:
        logger.exception("analysis_failed", match_id=piece.match_id, ply=piece.judged)
        return None


def complete_piece(piece: Piece, verdicts: list[Verdict] | None, *, now: datetime) -> bool:
    """Store the verdicts of a piece and call for the next one; return whether this call stored anything.

    ``None`` as verdicts notes a failed attempt. A piece that another worker has completed meanwhile stays as it is.
    """
    if verdicts is None:
        _note_failure(piece, now)
        return False
    judged = piece.judged + len(verdicts)
    is_done = judged >= piece.plies
    with transaction.atomic():
        running = MatchAnalysis.objects.select_for_update().filter(
            pk=piece.analysis_id, judged=piece.judged, status=AnalysisStatus.RUNNING
        )
        analysis = running.first()
        if analysis is None:
            return False
        analysis.verdicts += [write_verdict(verdict) for verdict in verdicts]
        analysis.judged = judged
        analysis.attempts = 0
        analysis.held_until = None
        if is_done:
            analysis.status, analysis.finished_at = AnalysisStatus.DONE, now
        analysis.save(update_fields=["verdicts", "judged", "attempts", "held_until", "status", "finished_at"])
        if free_analyses(now).exists():
            transaction.on_commit(call_for_piece, robust=True)
    return True


def call_waiting_analyses(*, now: datetime, limit: int = MAX_HELD_PIECES) -> int:
    """Queue calls for up to ``limit`` analyses that no worker holds; return how many calls.

    A call expires when the next one is due, so that calls never pile up.
    """
    free = free_analyses(now)[:limit].count()
    forget_shares(QueueName.ANALYSES, is_empty=not free)
    for _number in range(free):
        call_for_piece(expires=SWEEP_DELAY)
    return free


def call_for_piece(*, expires: timedelta | None = None) -> None:
    """Queue the task that does the next piece; it is dropped if it has not started when it ``expires``."""
    seconds = None if expires is None else expires.total_seconds()
    current_app.send_task(ANALYSE_MATCH, retry=False, expires=seconds)


def _hold(analysis: MatchAnalysis, now: datetime) -> MatchAnalysis | None:
    """Hold an analysis for the caller and return it with its match; ``None`` if it is given up, or held already."""
    analysis.match = get_match(analysis.match_id)
    engine = find_engine(analysis.match.rules)
    if analysis.attempts >= MAX_ATTEMPTS or not _is_by(analysis, engine):
        _give_up(analysis.pk, analysis.judged, now)
        return None
    free = MatchAnalysis.objects.filter(UNFINISHED & is_free(now), pk=analysis.pk, judged=analysis.judged)
    held = free.update(
        status=AnalysisStatus.RUNNING,
        started_at=analysis.started_at or now,
        held_until=now + PIECE_TIMEOUT,
        attempts=F("attempts") + 1,
    )
    return analysis if held else None


def _piece(analysis: MatchAnalysis) -> Piece:
    match, judged = analysis.match, analysis.judged
    state, moves = state_and_moves(match, judged)
    texts = tuple(move.text for move in moves)
    return Piece(analysis.pk, match.pk, judged, match.ply, Analysis(match.game, str(state), texts, analysis.engine))


def _for_clients(analyses: QuerySet[MatchAnalysis]) -> QuerySet[MatchAnalysis]:
    """Annotate analyses with the ``client`` who requested them, a piece's ``cost``, and whether they have ``begun``."""
    return analyses.annotate(
        player=Coalesce("requested_by_id", 0),
        digest=Coalesce("requested_by__client_digest", Value("")),
        client=client_of("player", "digest"),
        cost=Value(1),
        begun=Case(When(status=AnalysisStatus.RUNNING, then=Value(0)), default=Value(1), output_field=IntegerField()),
    )


def _columns(engine: Engine) -> dict[str, Any]:
    return {"engine": engine.version, "nodes": engine.budget.nodes, "depth": engine.budget.depth}


def _is_by(analysis: MatchAnalysis, engine: Engine | None) -> bool:
    return engine is not None and all(getattr(analysis, name) == value for name, value in _columns(engine).items())


def _note_failure(piece: Piece, now: datetime) -> None:
    tried = MatchAnalysis.objects.filter(UNFINISHED, pk=piece.analysis_id, judged=piece.judged)
    if not tried.filter(attempts__lt=MAX_ATTEMPTS).update(held_until=now + RETRY_DELAY):
        _give_up(piece.analysis_id, piece.judged, now)


def _give_up(analysis_id: int, judged: int, now: datetime) -> None:
    given_up = MatchAnalysis.objects.filter(UNFINISHED, pk=analysis_id, judged=judged).update(
        status=AnalysisStatus.FAILED, finished_at=now, held_until=None
    )
    if given_up:
        logger.error("analysis_given_up", analysis_id=analysis_id, ply=judged)
