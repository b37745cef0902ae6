"""Queries for matches against computers, and those in which a computer is to act."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import F, Q, QuerySet

from matches.models import Match, Status
from players.models import Player
from rules_engine.values import Side


def matches_waiting_for_computers(*, since: datetime) -> QuerySet[Match]:
    """Return the matches without a move since then in which a computer is to act, the oldest first."""
    return _computers_to_act().filter(last_move_at__lte=since).order_by("last_move_at", "pk")


def unclaimed_turns(*, now: datetime) -> QuerySet[Match]:
    """Return the matches in which a computer is to act and that no worker has claimed, in no order."""
    return _computers_to_act().filter(_is_free(now))


def oldest_unclaimed_turns(*, now: datetime, limit: int) -> list[datetime]:
    """Return since when computers are to act in matches that no worker has claimed, the oldest first. One query."""
    turns = Match.objects.filter(_is_free(now), status=Status.PLAYING, paused_at=None).order_by()
    # Two queries in one: each finds its matches by the index of its side.
    as_yellow = turns.filter(side=Side.YELLOW, yellow__is_computer=True).values_list("last_move_at", flat=True)
    as_red = turns.filter(side=Side.RED, red__is_computer=True).values_list("last_move_at", flat=True)
    return list(as_yellow.union(as_red, all=True).order_by("last_move_at")[:limit])


def unclaimed_turns_in(*, competition: int, now: datetime) -> list[int]:
    """Return the ids of the matches of a competition in which a computer is to act and that no worker has claimed."""
    to_act = Q(side=Side.YELLOW, yellow__is_computer=True) | Q(side=Side.RED, red__is_computer=True)
    running = Match.objects.filter(status=Status.PLAYING, paused_at=None, competition=competition)
    return list(running.filter(to_act, _is_free(now)).order_by("pk").values_list("pk", flat=True))


def _is_free(now: datetime) -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lte=now) | ~Q(claimed_ply=F("ply"))


def _computers_to_act() -> QuerySet[Match]:
    # As numbers rather than as a subquery: only so can the indexes of both sides be used.
    computers = list(Player.objects.filter(is_computer=True).values_list("pk", flat=True))
    to_act = Q(side=Side.YELLOW, yellow__in=computers) | Q(side=Side.RED, red__in=computers)
    return Match.objects.filter(to_act, status=Status.PLAYING, paused_at=None)


def count_computer_matches(player_ids: Collection[int]) -> int:
    """Return how many matches outside competitions these players play against computers."""
    running = Match.objects.filter(status=Status.PLAYING, competition=None)
    as_yellow = running.filter(yellow__in=player_ids, red__is_computer=True)
    as_red = running.filter(red__in=player_ids, yellow__is_computer=True)
    return as_yellow.count() + as_red.count()


def guests_against_computers() -> set[int]:
    """Return the ids of the guests who play against computers."""
    running = Match.objects.filter(status=Status.PLAYING)
    as_yellow = running.filter(yellow__is_guest=True, red__is_computer=True).values_list("yellow_id", flat=True)
    as_red = running.filter(red__is_guest=True, yellow__is_computer=True).values_list("red_id", flat=True)
    return {*as_yellow, *as_red}
