"""Queries for analyses of matches."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from matches.models import Match, MatchAnalysis, Move
from matches.models.analysis import UNFINISHED
from players.models import Player
from rules_engine.protocol import State


def find_analysis(match: Match) -> MatchAnalysis | None:
    """Return the match's analysis, the one requested last if there are several by different engines."""
    return MatchAnalysis.objects.filter(match=match).order_by("-pk").first()


def count_unfinished(player: Player) -> int:
    """Return how many of the analyses that the player has requested are unfinished."""
    return MatchAnalysis.objects.filter(UNFINISHED, requested_by=player).count()


def free_analyses(now: datetime) -> QuerySet[MatchAnalysis]:
    """Return the unfinished analyses that no worker holds, in no order."""
    return MatchAnalysis.objects.filter(UNFINISHED & is_free(now))


def is_free(now: datetime) -> Q:
    """Return the condition that no worker holds an analysis."""
    return Q(held_until=None) | Q(held_until__lte=now)


def count_held(*, now: datetime) -> int:
    """Return how many analyses workers hold."""
    return MatchAnalysis.objects.filter(UNFINISHED).exclude(is_free(now)).count()


def state_and_moves(match: Match, ply: int) -> tuple[State, Sequence[Move]]:
    """Return the state after the first ``ply`` moves, and the moves that follow."""
    moves = list(match.moves.order_by("ply"))
    state = match.rules.start()
    for move in moves[:ply]:
        state = state.play(move.text)
    return state, moves[ply:]
