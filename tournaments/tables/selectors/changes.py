"""Find groups whose results or tables have changed, for the streams of those who follow their competitions."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Q

from tournaments.models import Competition, Group
from tournaments.models.competition import PUBLIC


class TableChange(NamedTuple):
    """The results of a group as they are now, by ``results_version``, and whether its table has been made of them."""

    pk: int
    changed_at: datetime
    results_version: int
    is_stale: bool
    stage: int
    number: int
    competition_id: int
    slug: str


def changed_tables(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    competitions: Collection[int] | None = None,
    limit: int | None = None,
) -> list[TableChange]:
    """Return the groups of public competitions that fit everything given, in the order of their last changes."""
    condition = Q(stage__competition__in=Competition.objects.filter(PUBLIC).values("pk"))
    if after is not None:
        condition &= Q(changed_at__gt=after)
    if ids is not None:
        condition &= Q(pk__in=ids)
    if competitions is not None:
        condition &= Q(stage__competition__in=competitions)
    found = Group.objects.filter(condition).order_by("changed_at", "pk")
    columns = ("stage__number", "number", "stage__competition_id", "stage__competition__slug")
    rows = found.values_list("pk", "changed_at", "results_version", "standings_stale_since", *columns)[:limit]
    return [
        TableChange(pk, changed_at, version, since is not None, *others)
        for pk, changed_at, version, since, *others in rows
    ]


def last_table_change() -> datetime | None:
    """Return the moment when the results or the table of any group changed last, ``None`` before the first."""
    last: datetime | None = Group.objects.aggregate(last=Max("changed_at"))["last"]
    return last
