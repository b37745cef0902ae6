"""The table of a competition page by page, with the latest results and the reasons for every place."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, Q, QuerySet, Value, When, Window
from django.db.models.functions import Coalesce, RowNumber

from database.row_counts import count_rows
from formats.protocol import Order
from formats.scoring.reasons import Reason, explain_rows
from formats.scoring.standings import write_number
from formats.scoring.tiebreaks import TIEBREAKS, Ledger, Sums
from rules_engine.values import Side
from tournaments.models import BY_DECISION, Competition, Entry, Fixture, Group, PlaceChange, Seat, Stage, Standing
from tournaments.records.competitions import IN_COMPETITION
from tournaments.records.groups import entrants_on_ladder, standing_of
from tournaments.records.table_sections import WITHOUT_PLACE, InSections, has_sections, seats_in_sections

FORM = 5
PAGE = 50
MAX_PLACES = 400
_SHOWN = ("entry__player", "entry__team", "standing")

IN_CUP_WITHOUT_PLACE = Q(standing__place__isnull=True) & (
    Q(entry__status__in=IN_COMPETITION) | ~Q(entry__disqualification="")
)
"""Entrants of a cup whom its tables list after those who have a place: its size is bounded."""


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
    by_decision: bool = False

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

    On a ladder all ``entrants`` are in the table: a caller who knows their number may save a query. A player who has
    left a points ladder since its table was made is in it, too. Four queries where there are fewer pages.
    """
    wanted = max(1, number)
    if has_sections(stage):
        return _page_in_sections(stage, group_id, wanted, size, entrants)
    total, ranked = _count_rows(stage, group_id, entrants)
    number = min(wanted, _count_pages(total, size))
    start, end = (number - 1) * size, number * size
    rows = placed_rows(stage, _placed_seats(stage, group_id, start, end + 1))[:size]
    if ranked is not None and ranked < min(end, total):
        rows += _rows_without_place(_in_cup_without_place(group_id)[max(0, start - ranked) : end - ranked])
    return TablePage(rows, number, _count_pages(total, size), total)


def _page_in_sections(stage: Stage, group_id: int, wanted: int, size: int, entrants: int | None) -> TablePage:
    number, found = wanted, _read_page(group_id, wanted, size, entrants)
    pages = _count_pages(found.total, size)
    if number > pages:
        number, found = pages, _read_page(group_id, pages, size, found.total)
    start, end = (number - 1) * size, number * size
    rows = placed_rows(stage, _read_seats(found.seats))[:size]
    return TablePage(rows + _rows_after(group_id, found, start, end), number, pages, found.total)


def _read_page(group_id: int, number: int, size: int, entrants: int | None) -> InSections:
    return seats_in_sections(group_id=group_id, start=(number - 1) * size, end=number * size + 1, entrants=entrants)


def _count_pages(total: int, size: int) -> int:
    return max(1, -(-total // size))


def table_part(*, stage: Stage, group_id: int, start: int, size: int) -> tuple[list[TableRow], bool]:
    """Return the rows of a group's table after the first ``start``, each with its reasons, and whether more follow.

    Four queries at most.
    """
    before, end = max(0, start - 1), start + size
    if has_sections(stage):
        found = seats_in_sections(group_id=group_id, start=before, end=end + 1)
        rows = placed_rows(stage, _read_seats(found.seats))[start - before :][:size]
        return rows + _rows_after(group_id, found, start, end), end < found.total
    placed = _placed_seats(stage, group_id, before, end + 1)
    rows = placed_rows(stage, placed)[start - before :]
    if len(rows) <= size and not has_positions(stage):
        ranked = before + len(placed) if placed else _placed_in_order(group_id).count()
        rows += _rows_without_place(_in_cup_without_place(group_id)[max(0, start - ranked) : end + 1 - ranked])
    return rows[:size], len(rows) > size


def _count_rows(stage: Stage, group_id: int, entrants: int | None) -> tuple[int, int | None]:
    """Return how many rows the table of a cup or a challenge ladder has, and of a cup in how many there is a place."""
    if stage.is_endless:
        return entrants_on_ladder(group_id) if entrants is None else entrants, None
    seats = Seat.objects.filter(group_id=group_id)
    unplaced = count_rows(seats.filter(IN_CUP_WITHOUT_PLACE), by="group")
    counted = Group.objects.filter(pk=group_id).annotate(
        ranked=count_rows(_placed_in_order(group_id), by="group"), all_seats=count_rows(seats, by="group")
    )
    # Where all have a place, nobody need be looked at for it.
    counted = counted.annotate(unplaced=Case(When(ranked=F("all_seats"), then=Value(0)), default=unplaced))
    numbers = counted.values("ranked", "unplaced").first() or {"ranked": 0, "unplaced": 0}
    return numbers["ranked"] + numbers["unplaced"], numbers["ranked"]


def _placed_seats(stage: Stage, group_id: int, start: int, end: int) -> list[Seat]:
    """Return who has a place in a cup or on a challenge ladder, after the first ``start`` up to ``end``.

    Nothing is read of the rows in front of them in the table of a ladder.
    """
    if has_positions(stage):
        seats = ladder_positions(group_id).filter(position__gt=start, position__lte=end)
    else:
        # Only those of these keys: PostgreSQL would read who they are of all before it sorts them.
        keys = _placed_in_order(group_id).values("seat_id")[start:end]
        seats = Seat.objects.filter(pk__in=keys).order_by("standing__place", "pk")
    return list(seats.select_related(*_SHOWN))


def _placed_in_order(group_id: int) -> QuerySet[Standing]:
    return Standing.objects.filter(group_id=group_id, place__isnull=False).order_by("place", "seat_id")


def _read_seats(keys: Sequence[int]) -> list[Seat]:
    """Return these seats, in this order."""
    order = {key: number for number, key in enumerate(keys)}
    found = Seat.objects.filter(pk__in=keys).select_related(*_SHOWN)
    return sorted(found, key=lambda seat: order[seat.pk])


def _rows_after(group_id: int, found: InSections, start: int, end: int) -> list[TableRow]:
    """Return those of a points ladder's rows after the first ``start`` up to ``end`` in which nobody has a place.

    They are in the order of entry. An index alone leads to them, from its beginning or its end, which is nearer.
    """
    first, last = max(0, start - found.placed), min(end, found.total) - found.placed
    if first >= last:
        return []
    number = found.total - found.placed
    seats = Seat.objects.filter(group_id=group_id)
    entries = seats.filter(WITHOUT_PLACE).values("entry_id")
    if number - last < first:
        entries = entries.order_by("-entry_id")[number - last : number - first]
    else:
        entries = entries.order_by("entry_id")[first:last]
    return _rows_without_place(seats.filter(entry__in=entries).order_by("entry_id"))


def _in_cup_without_place(group_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(IN_CUP_WITHOUT_PLACE, group_id=group_id).order_by("seed", "entry__entered_at", "pk")


def _rows_without_place(seats: QuerySet[Seat]) -> list[TableRow]:
    return [TableRow(None, seat, standing_of(seat)) for seat in seats.select_related(*_SHOWN)]


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


def latest_results(*, competition: Competition, entries: Collection[int]) -> dict[int, list[FormMark]]:
    """Return the last results in the competition of each of the entrants by entry id, the oldest first. Two queries."""
    as_yellow, as_red = (_latest_of_side(competition, entries, side) for side in Side)
    results: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for entry, *result in as_yellow.union(as_red, all=True):
        results[entry].append(tuple(result))
    latest = {entry: sorted(found)[-FORM:] for entry, found in results.items()}
    opponents = {opponent for found in latest.values() for _at, _pk, opponent, *_ in found}
    found_names = Entry.objects.filter(pk__in=opponents).annotate(name_=Coalesce("team__name", "player__username"))
    names = dict(found_names.values_list("pk", "name_"))
    return {
        entry: [
            FormMark(finished_at, names[opponent], match_id, (own, other), (goals, against), by_decision=decided)
            for finished_at, _pk, opponent, match_id, own, other, goals, against, decided in found
        ]
        for entry, found in latest.items()
    }


def places_of(*, competition: Competition, username: str) -> list[PlaceChange]:
    """Return a player's latest changes of place in the competition with seat and entry, the oldest first."""
    changes = PlaceChange.objects.filter(
        seat__entry__competition_id=competition.pk, seat__entry__player__username=username
    )
    return list(
        changes.select_related("seat__entry__player", "seat__entry__team").order_by("-changed_at", "-pk")[:MAX_PLACES]
    )[::-1]


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
            BY_DECISION,
        )
    )
