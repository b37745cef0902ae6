"""The table of a competition page by page, with the latest results and the reasons for every place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from rules_engine.values import Side
from tournaments.formats.protocol import Order
from tournaments.models import Competition, Entry, Fixture, PlaceChange, Seat, Stage, Standing
from tournaments.reasons import Reason, explain_rows
from tournaments.selectors.competitions import IN_COMPETITION
from tournaments.selectors.groups import standing_of
from tournaments.standings import write_number
from tournaments.tiebreaks import TIEBREAKS, Ledger, Sums

FORM = 5
PAGE = 50
MAX_PLACES = 400

WITHOUT_PLACE = Q(standing__place__isnull=True, entry__status__in=IN_COMPETITION)
"""Entrants whom the table lists after those who have a place."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A seat's row. ``place`` is empty for those who have none yet; so is ``standing`` before the first result.

    ``reasons`` are what sets the row apart from its neighbours, where that is more than a position.
    """

    place: int | None
    seat: Seat
    standing: Standing | None
    reasons: tuple[Reason, ...] = ()

    @property
    def entry(self) -> Entry:
        """Return who has the seat."""
        return self.seat.entry

    @property
    def movement(self) -> int:
        """Return how many places the entrant has gone up since the table before, negative when down."""
        row = self.standing
        return row.previous_place - row.place if row and row.place and row.previous_place else 0


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some rows of a table: page ``number`` of ``pages``, both from 1, of ``total`` rows."""

    rows: Sequence[TableRow]
    number: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class FormMark:
    """A result from one player's view: points and goals are (own, opponent's)."""

    finished_at: datetime
    opponent: str
    match_id: int | None
    points: tuple[int, int]
    goals: tuple[int, int]

    @property
    def outcome(self) -> str:
        """Return ``"won"``, ``"drawn"`` or ``"lost"``."""
        own, other = self.points
        return "won" if own > other else "lost" if own < other else "drawn"


def is_challenge(competition: Competition) -> bool:
    """Return whether the competition's table is the order of a challenge ladder."""
    return has_positions(competition.first_stage)


def has_positions(stage: Stage) -> bool:
    """Return whether the tables of a stage are the order of its seats' positions."""
    return stage.format_spec.order is Order.POSITIONS


def table_page(
    *, stage: Stage, group_id: int, number: int = 1, size: int = PAGE, entrants: int | None = None
) -> TablePage:
    """Return a page of the table of a stage's group, the last one where there are fewer. At most three queries.

    On a challenge ladder all ``entrants`` have a position: a caller who knows their number saves a query.
    """
    if has_positions(stage):
        placed = ladder_positions(group_id)
        unplaced = placed.none()
        ranked = total = placed.count() if entrants is None else entrants
    else:
        seats = Seat.objects.filter(group_id=group_id)
        placed = Seat.objects.filter(standing__group_id=group_id, standing__place__isnull=False)
        placed = placed.order_by("standing__place", "pk")
        unplaced = seats.filter(WITHOUT_PLACE).order_by("seed", "entry__entered_at", "pk")
        counted = seats.aggregate(
            ranked=Count("pk", filter=Q(standing__place__isnull=False)), unplaced=Count("pk", filter=WITHOUT_PLACE)
        )
        ranked, total = counted["ranked"], counted["ranked"] + counted["unplaced"]
    placed, unplaced = (part.select_related("entry__player", "standing") for part in (placed, unplaced))
    pages = max(1, -(-total // size))
    number = min(max(1, number), pages)
    start, end = (number - 1) * size, number * size
    found = list(placed[start : end + 1])
    rows = placed_rows(stage, found)[: end - start]
    if end > ranked:
        rows += [TableRow(None, seat, standing_of(seat)) for seat in unplaced[max(0, start - ranked) : end - ranked]]
    return TablePage(rows, number, pages, total)


def ladder_positions(group_id: int) -> QuerySet[Seat]:
    """Return who stands on a challenge ladder, from the top."""
    return Seat.objects.filter(group_id=group_id, position__isnull=False).order_by("position", "pk")


def placed_rows(stage: Stage, seats: Sequence[Seat]) -> list[TableRow]:
    """Return the rows of neighbouring seats of a group that have places, each with its reasons.

    A knock-out's places come from its ties, a challenge ladder's from its games: they need no other reason.
    """
    if has_positions(stage):
        return [TableRow(seat.position, seat, standing_of(seat)) for seat in seats]
    standings = [seat.standing for seat in seats]
    if stage.format_spec.order is Order.BRACKET:
        return [TableRow(row.place, seat, row) for seat, row in zip(seats, standings, strict=True)]
    reasons = explain_rows(standings, stage.tiebreaks, _number_of)
    return [TableRow(row.place, seat, row, why) for seat, row, why in zip(seats, standings, reasons, strict=True)]


def explain_part(stage: Stage, seats: Sequence[Seat]) -> list[TableRow]:
    """Return rows that follow each other as ``lists.table_in_order`` lists them, each with its reason.

    Two queries at most, for the rows before and after them.
    """
    if has_positions(stage):
        return placed_rows(stage, seats)
    placed = [seat for seat in seats if _place_of(seat) is not None]
    before: list[Seat] = []
    after: list[Seat] = []
    if placed:
        around = Seat.objects.filter(standing__group=placed[0].group_id, standing__place__isnull=False)
        around = around.select_related("standing")
        before, after = list(_rows_before(around, placed[0])), list(_rows_after(around, placed[-1]))
    rows = placed_rows(stage, [*before, *placed, *after])[len(before) :]
    unplaced = (seat for seat in seats if _place_of(seat) is None)
    return rows[: len(placed)] + [TableRow(None, seat, standing_of(seat)) for seat in unplaced]


def latest_results(*, competition: Competition, entries: Collection[int]) -> dict[int, list[FormMark]]:
    """Return the last results in the competition of each of the entrants by entry id, the oldest first. Two queries."""
    as_yellow, as_red = (_latest_of_side(competition, entries, side) for side in Side)
    results: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for entry, *result in as_yellow.union(as_red, all=True):
        results[entry].append(tuple(result))
    latest = {entry: sorted(found)[-FORM:] for entry, found in results.items()}
    opponents = {opponent for found in latest.values() for _at, _pk, opponent, *_ in found}
    names = dict(Entry.objects.filter(pk__in=opponents).values_list("pk", "player__username"))
    return {
        entry: [
            FormMark(finished_at, names[opponent], match_id, points=(own, other), goals=(goals, against))
            for finished_at, _pk, opponent, match_id, own, other, goals, against in found
        ]
        for entry, found in latest.items()
    }


def places_of(*, competition: Competition, username: str) -> list[PlaceChange]:
    """Return a player's latest changes of place in the competition with seat and entry, the oldest first."""
    changes = PlaceChange.objects.filter(
        seat__entry__competition_id=competition.pk, seat__entry__player__username=username
    )
    return list(changes.select_related("seat__entry__player").order_by("-changed_at", "-pk")[:MAX_PLACES])[::-1]


def _place_of(seat: Seat) -> int | None:
    row = standing_of(seat)
    return row.place if row else None


def _rows_before(placed: QuerySet[Seat], seat: Seat) -> QuerySet[Seat]:
    """Return the row directly above a seat's, if there is one."""
    place = _place_of(seat)
    higher = placed.filter(Q(standing__place__lt=place) | Q(standing__place=place, pk__lt=seat.pk))
    return higher.order_by("-standing__place", "-pk")[:1]


def _rows_after(placed: QuerySet[Seat], seat: Seat) -> QuerySet[Seat]:
    """Return the row directly below a seat's, if there is one."""
    place = _place_of(seat)
    lower = placed.filter(Q(standing__place__gt=place) | Q(standing__place=place, pk__gt=seat.pk))
    return lower.order_by("standing__place", "pk")[:1]


def _number_of(row: Standing, key: str) -> str:
    """Return a number of a stored row as a table shows it; empty for one of which the row knows nothing."""
    if key in row.values or key not in TIEBREAKS or TIEBREAKS[key].needs_results or key == "rating":
        return str(row.values.get(key, ""))
    sums = Sums(
        points=row.points,
        rounds=row.played,
        wins=row.won,
        goals_for=row.goals_for,
        goals_against=row.goals_against,
        matches_as_red=row.as_red,
    )
    return write_number(TIEBREAKS[key].measure(Ledger(sums={row.pk: sums}), [row.pk])[row.pk])


def _latest_of_side(
    competition: Competition, entries: Collection[int], side: Side
) -> QuerySet[Fixture, tuple[Any, ...]]:
    """Return the last results of each of the entrants on one side, each with the entry's id and the opponent's."""
    age = Window(RowNumber(), partition_by=F(f"{side}_id"), order_by=[F("finished_at").desc(), F("pk").desc()])
    counted = Fixture.objects.filter(competition_id=competition.pk, counted_at__isnull=False, is_annulled=False)
    other = side.opponent
    return (
        counted.filter(**{f"{side}__in": entries})
        .annotate(age=age)
        .filter(age__lte=FORM)
        .values_list(
            f"{side}_id",
            "finished_at",
            "pk",
            f"{other}_id",
            "match_id",
            f"points_{side}",
            f"points_{other}",
            f"goals_{side}",
            f"goals_{other}",
        )
    )
