"""Turns that were taken back, and all that was played with them."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from matches.models import Match, Move, TakenBackMove


def taken_back_turns(match: Match) -> list[list[TakenBackMove]]:
    """Return the turns of a match that were taken back, in the order in which they were. No query if there is none."""
    if not match.take_backs:
        return []
    moves = TakenBackMove.objects.filter(take_back__match=match.pk).select_related("take_back")
    return [list(turn) for _row, turn in groupby(moves, key=attrgetter("take_back_id"))]


def all_played(match: Match, moves: Sequence[Move]) -> list[Move]:
    """Return everything that was played, in that order: a match's moves, and those that were taken back among them."""
    line, since = list(moves), list[Move]()
    for turn in reversed(taken_back_turns(match)):
        first = turn[0].ply
        line, since = [*line[:first], *(each.move for each in turn)], [*line[first:], *since]
    return [*line, *since]
