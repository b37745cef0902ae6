"""Queries for changes of matches and seeks, for event streams.

Each change is a row as it is now: of several changes of a match the last one is found.
"""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Q

from database.compiled_queries import CompiledQuery
from matches.models import Match, Seek, Status
from matches.signals import WATCHED, Topic


class MatchChange(NamedTuple):
    """The columns of a changed match that streams send; ``changed_at`` is the database's time."""

    pk: int
    changed_at: datetime
    yellow_id: int
    red_id: int
    ply: int
    extensions: int
    status: str
    side: str
    paused_at: datetime | None
    annulled_at: datetime | None
    offer: str
    offered_by: str
    offered_at_ply: int
    is_rated: bool
    competition: int | None

    @property
    def standing_offer(self) -> tuple[str, str] | None:
        """Return what one side offers the other, and that side, ``None`` once somebody has moved since."""
        stands = self.offer and self.side and self.offered_at_ply == self.ply
        return (self.offer, self.offered_by) if stands else None


EVERY = Q()
WORTH_WATCHING = Q(is_rated=True) | Q(competition__isnull=False)
"""The matches that count somewhere."""

NEWS = Q(ply=0) | Q(status=Status.FINISHED)
"""The matches of competitions that have begun, or are over."""


def topics_of(match: Match | MatchChange) -> list[Topic]:
    """Return the topics of a match beside its own: ``WATCHED``, and its competition where it is ``NEWS`` there."""
    topics = [WATCHED] if match.is_rated or match.competition is not None else []
    if match.competition is not None and (match.ply == 0 or match.status == Status.FINISHED):
        topics.append(("competition", match.competition))
    return topics


def named_matches(ids: Collection[int]) -> list[MatchChange]:
    """Return these matches as they are now, in the order of their last changes."""
    # Nearly always it is one that has changed: compiling its query would take longer than asking it.
    if len(ids) != 1:
        return changed_matches(ids=ids)
    (match_id,) = ids
    return [MatchChange(*row) for row in _NAMED.rows(match_id=match_id)]


def changed_matches(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_ids: Collection[int] | None = None,
    condition: Q = EVERY,
    limit: int | None = None,
) -> list[MatchChange]:
    """Return the matches that fit everything given, ``limit`` at most, in the order of their last changes."""
    fitting = condition & _fits(("yellow", "red"), after, ids, player_ids)
    matches = Match.objects.filter(fitting).order_by("changed_at", "pk")
    return [MatchChange(*row) for row in matches.values_list(*MatchChange._fields)[:limit]]


def changed_seeks(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_ids: Collection[int] | None = None,
    condition: Q = EVERY,
    limit: int | None = None,
) -> list[Seek]:
    """Return the seeks that fit everything given, ``limit`` at most, in the order of their last changes.

    Each comes with its players.
    """
    fitting = condition & _fits(("creator", "invited"), after, ids, player_ids)
    seeks = Seek.objects.filter(fitting).select_related("creator", "invited")
    return list(seeks.order_by("changed_at", "pk")[:limit])


def last_change() -> datetime | None:
    """Return the moment of the last change of any match or seek, ``None`` before the first."""
    moments = [table.objects.aggregate(last=Max("changed_at"))["last"] for table in (Match, Seek)]
    return max(filter(None, moments), default=None)


_NAMED = CompiledQuery(lambda match_id: Match.objects.filter(pk=match_id).order_by().values_list(*MatchChange._fields))


def _fits(
    roles: tuple[str, str],
    after: datetime | None,
    ids: Collection[int] | None,
    player_ids: Collection[int] | None,
) -> Q:
    """Return the condition for all arguments that are given; in one of the ``roles`` there is one of the players."""
    condition = Q()
    if player_ids is not None:
        first, second = roles
        condition &= Q(**{f"{first}__in": player_ids}) | Q(**{f"{second}__in": player_ids})
    if ids is not None:
        condition &= Q(pk__in=ids)
    if after is not None:
        condition &= Q(changed_at__gt=after)
    return condition
