"""Queries for what players are to be notified of: turns, ends, deadlines that are near."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet

from matches.models import Match, Status
from matches.models.match import RUNNING
from rules_engine.values import Ending, Side


class Turn(NamedTuple):
    """The columns of a running match that a notification of its turn needs."""

    pk: int
    ply: int
    side: str
    yellow_id: int
    red_id: int
    turn_started_at: datetime
    deadline: datetime

    @property
    def player_id(self) -> int:
        """Return the id of the player to act."""
        return self.yellow_id if self.side == Side.YELLOW else self.red_id


def lock_turns_to_notify(*, before: datetime, after: Turn | None, limit: int) -> list[Turn]:
    """Return turns without a notification that began ``before`` a moment, the oldest first, from ``after`` on.

    Their matches are locked until the transaction ends; those that another transaction has locked are skipped.
    """
    unnotified = Match.objects.filter(RUNNING, is_notified=False, turn_started_at__lte=before)
    if after is not None:
        later = Q(turn_started_at__gt=after.turn_started_at) | Q(turn_started_at=after.turn_started_at, pk__gt=after.pk)
        unnotified = unnotified.filter(later, turn_started_at__gte=after.turn_started_at)
    return _lock(unnotified.order_by("turn_started_at", "pk")[:limit])


def lock_turns_to_notify_of(*, players: Collection[int], since: datetime, limit: int) -> list[Turn]:
    """Return the turns of these players without a notification that began after a moment; locked like the others."""
    if not players:
        return []
    unnotified = Match.objects.filter(_to_act(players), RUNNING, is_notified=False, turn_started_at__gt=since)
    return _lock(unnotified.order_by("turn_started_at", "pk")[:limit])


def lock_ends_to_notify(*, limit: int) -> list[Match]:
    """Return finished matches whose players have not been notified, locked until the transaction ends."""
    unnotified = Match.objects.filter(status=Status.FINISHED, is_notified=False).order_by("pk")
    return list(unnotified.select_for_update(skip_locked=True, no_key=True).only("pk", "yellow", "red")[:limit])


def turns_of(*, players: Collection[int], now: datetime) -> list[Turn]:
    """Return all turns of these players that have time left, the nearest deadline first."""
    running = Match.objects.filter(_to_act(players), RUNNING, deadline__gt=now).order_by("deadline", "pk")
    return [Turn(*row) for row in running.values_list(*Turn._fields)]


def turns_near_deadline(*, since: datetime, until: datetime, hours: Collection[int]) -> list[Turn]:
    """Return the turns that had one of these numbers of hours left between two moments.

    Turns that began with less, and those whose deadline has passed, are left out. The query reads one slice of the
    deadlines for each number, so that what lies between the slices costs nothing.
    """
    near = Q()
    for number in hours:
        left = timedelta(hours=number)
        near |= Q(deadline__gt=max(since + left, until), deadline__lte=until + left)
    found = Match.objects.filter(near, RUNNING).order_by("deadline", "pk")
    return [Turn(*row) for row in found.values_list(*Turn._fields)]


def matches_to_act_in(*, player_id: int, ids: Collection[int], now: datetime) -> QuerySet[Match]:
    """Return those of the matches in which it is the player's turn and their clock runs, with both players."""
    running = Match.objects.filter(_to_act([player_id]), RUNNING, pk__in=ids, deadline__gt=now)
    return running.select_related("yellow", "red").order_by("deadline", "pk")


def ended_matches(*, ids: Collection[int]) -> QuerySet[Match]:
    """Return those of the matches that are over and count, or that their players have cancelled, with both players."""
    told = Q(annulled_at=None) | Q(ending=Ending.CANCELLED)
    ended = Match.objects.filter(told, status=Status.FINISHED, pk__in=ids)
    return ended.select_related("yellow", "red").order_by("finished_at", "pk")


def _to_act(players: Collection[int]) -> Q:
    return Q(side=Side.YELLOW, yellow__in=players) | Q(side=Side.RED, red__in=players)


def _lock(turns: QuerySet[Match]) -> list[Turn]:
    return [Turn(*row) for row in turns.select_for_update(skip_locked=True, no_key=True).values_list(*Turn._fields)]
