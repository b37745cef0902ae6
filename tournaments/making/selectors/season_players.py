"""Players of the seasons of a series: of one season at a time, group by group.

Nothing is read of other seasons, groups and players than those that a page shows or leads to.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, QuerySet

from tournaments.making.selectors.season_history import BEGUN
from tournaments.models import Competition, Group, Seat, Series, Stage
from tournaments.records.groups import standing_of

M = TypeVar("M", bound=Model)


def seasons_about(series: Series, number: int | None, *, most: int) -> tuple[list[Competition], list[Competition]]:
    """Return the season with a number and those before it, the latest first, and those after it, the next one first.

    At most so many of each, of the seasons that have begun and anybody sees. Of a number that none has it is the one
    before, or else after it, and without a number the latest one; there may be none. Two queries at most.
    """
    seasons = Competition.objects.filter(series=series, season__isnull=False, hidden_at=None, status__in=BEGUN)
    if number is None:
        return list(seasons.order_by("-season")[:most]), []
    return _about(seasons, "season", number, most)


def stages_with_groups(season: Competition) -> list[Stage]:
    """Return the stages of a season that has begun in which anybody has a group, in order. One query."""
    formed = Exists(Group.objects.filter(stage=OuterRef("pk")))
    return list(Stage.objects.filter(formed, competition=season).order_by("number"))


def groups_about(stage: Stage, number: int, *, most: int) -> tuple[Group | None, list[Group]]:
    """Return the group of a stage with a number, and the groups beside it, in order: at most so many on each side.

    The groups in order have that group among them. Of a number that none has it is the one before, or else after it;
    ``None`` if the stage has no group. Two queries.
    """
    before, after = _about(Group.objects.filter(stage=stage), "number", number, most)
    groups = [*reversed(before), *after]
    for group in groups:
        group.stage = stage
    return next(iter(before), None), groups


def seats_in(group: Group) -> QuerySet[Seat]:
    """Return the seats of a group, to be read page by page in the order of their entries."""
    return Seat.objects.filter(group=group)


def with_players(seats: Iterable[Seat]) -> list[Seat]:
    """Return seats that a page has read with their players and standings, in the same order. One query.

    It is one of its own: joined, the database may look for the page among the entries of all groups. Seats that have
    been taken away since are left out.
    """
    keys = [seat.pk for seat in seats]
    found = Seat.objects.select_related("entry__player", "standing").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def order_by_place(seats: Iterable[Seat]) -> list[Seat]:
    """Return all seats of a group in the order of its table, those last who have no place in it."""

    def key(seat: Seat) -> tuple[bool, int, int]:
        row = standing_of(seat)
        place = None if row is None else row.place
        return place is None, place or 0, seat.pk

    return sorted(seats, key=key)


def _about(rows: QuerySet[M, Any], column: str, number: int, most: int) -> tuple[list[M], list[M]]:
    """Return the row with a number and those before it, backwards, and those after it, at most so many of each.

    The first of the former is the row, or the nearest one.
    """
    before = list(rows.filter(**{f"{column}__lte": number}).order_by(f"-{column}")[:most])
    after = list(rows.filter(**{f"{column}__gt": number}).order_by(column)[:most])
    return (before, after) if before else (after[:1], after[1:])
