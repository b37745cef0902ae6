"""The tables of whole competitions, and the one group of those that have no more."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Competition, Group
from tournaments.tables.services.standings import recompute_if_stale, recompute_standings


def group_of(competition: Competition) -> Group:
    """Return the one group of a competition, read with its stage."""
    return Group.objects.select_related("stage__competition").get(stage__competition=competition.pk)


def recompute_tables(*, competition_id: int, now: datetime) -> int:
    """Recompute the tables of all groups of a competition, and return how many rows changed."""
    return sum(recompute_standings(group_id=each, now=now) for each in _group_ids(competition_id))


def recompute_stale_tables(*, competition_id: int, now: datetime) -> None:
    """Recompute the tables of a competition that are stale."""
    for group_id in _group_ids(competition_id):
        recompute_if_stale(group_id=group_id, now=now)


def _group_ids(competition_id: int) -> list[int]:
    groups = Group.objects.filter(stage__competition=competition_id)
    return list(groups.order_by("stage__number", "number").values_list("pk", flat=True))
