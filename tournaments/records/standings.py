"""The table of a group as its results give it. Reads only; what is stored of the table is not looked at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db.models import Exists, Max, OuterRef, Q

from database.isolation import attempt_each
from formats.champions import find_champion
from formats.protocol import Order
from formats.registry import FORMATS
from formats.results import results_by_round, results_of
from formats.scoring.standings import Row, order, order_briefly, write_number
from formats.scoring.tiebreaks import TEAM_TIEBREAKS, TIEBREAKS, Ledger, Number, Result, Sums
from formats.team_meetings import team_numbers
from tournaments.models import CompetitionStatus, EntryStatus, Fixture, Group, Standing
from tournaments.models import elo as rating
from tournaments.records.entrant_ratings import ratings_before, ratings_now
from tournaments.records.group_records import read_record
from tournaments.records.result_sums import MAX_ENTRANTS_BY_ID, Totals, add_up_results, best_rounds

ALL_TIME = datetime(1, 1, 2, tzinfo=UTC)

ON_LADDERS = {EntryStatus.ACTIVE, EntryStatus.ON_HOLD}
IN_CUPS = {*ON_LADDERS, EntryStatus.GONE}


_MORE_THAN_SUMS = {key for key, tiebreak in TIEBREAKS.items() if tiebreak.needs_results or key == "rating"}
_MORE_THAN_ROWS = {*_MORE_THAN_SUMS, "points-per-match"}
"""The tie-breaks that do not follow from a row where rounds without a match count: it has only matches."""
_RESULT = ("yellow_id", "red_id", "points_yellow", "points_red", "goals_yellow", "goals_red")
_FIRST_SUM = Totals._fields.index("played")


class Line(NamedTuple):
    """An entrant's row of the table: the fields of a stored standing but for the place before.

    ``values`` holds, by key, the tiebreaks that are more than sums, written as a table shows them; ``None`` for none.
    """

    seat_id: int
    place: int | None
    decided_by: str
    values: Mapping[str, str] | None
    played: int
    won: int
    drawn: int
    lost: int
    as_red: int
    goals_for: int
    goals_against: int
    points: int

    @classmethod
    def of(
        cls, totals: Totals, place: int | None, decided_by: str = "", values: Mapping[str, str] | None = None
    ) -> Line:
        """Return the row with these sums."""
        return cls._make((totals.seat_id, place, decided_by, values or None, *totals[_FIRST_SUM:]))


PLACED = Line._fields[:3]
COUNTED = Line._fields[3:]
"""Of a row, what others' results change too, and what only its own do."""


def window_start(group: Group, now: datetime) -> datetime:
    """Return from when on results count. A window begins at midnight UTC, so that it is the same all day.

    That of a group that has ended stands still: its table stays as it was at the end.
    """
    days = int(getattr(group.stage.chosen_options, "window_days", 0))
    if not days:
        return ALL_TIME
    end = (_end_of(group) or now).astimezone(UTC)
    return end.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)


def outdated_groups(now: datetime) -> list[int]:
    """Return the groups of running competitions whose stored tables count results that have left the window by now.

    Where nobody knows from when on results count in a table, it is among them. Two queries at most.
    """
    with_tables = [key for key, spec in FORMATS.items() if spec.order is not Order.BRACKET]
    groups = Group.objects.filter(
        stage__competition__status=CompetitionStatus.RUNNING,
        stage__format__in=with_tables,
        stage__options__window_days__gt=0,
    )
    by_start: dict[datetime, list[int]] = defaultdict(list)
    starts = attempt_each(
        groups.select_related("stage__competition"),
        lambda group: (window_start(group, now), group.pk),
        event="window_not_found",
        key="group_id",
    )
    for start, key in starts:
        by_start[start].append(key)
    if not by_start:
        return []
    counted = Fixture.objects.filter(
        group=OuterRef("pk"), counted_at__isnull=False, is_annulled=False, finished_at__gte=OuterRef("window_since")
    )
    outdated = Q(window_since=None, pk__in=[key for keys in by_start.values() for key in keys])
    for start, keys in by_start.items():
        outdated |= Q(Exists(counted.filter(finished_at__lt=start)), pk__in=keys)
    return list(Group.objects.filter(outdated).order_by("pk").values_list("pk", flat=True))


def ratings_end(group: Group) -> datetime | None:
    """Return before which moment a match has to have ended for what it did to the ratings to count here; ``None``: all.

    The ratings of a group that has ended stand still, as its window does. In a cup they do so when the group's last
    match ends, before that is rated: so its table need not wait for the ratings, which are made later.
    """
    end = _end_of(group)
    if end is None or group.stage.is_endless:
        return end
    counted = Fixture.objects.filter(group=group, counted_at__isnull=False, is_annulled=False)
    last: datetime | None = counted.aggregate(last=Max("finished_at"))["last"]
    return last or end


def compute_table(*, group: Group, now: datetime) -> list[Line]:
    """Return the table of a group, in order, from its results alone; those without a place come last.

    The group was read with its stage and competition, and before that starts its table is empty. A points ladder ranks
    those with enough matches, a cup everybody; on a challenge ladder the place is the position. One query, one more
    where a tiebreak needs the results themselves, and one or two more where one needs the ratings; where rounds without
    a match count, the whole record.
    """
    if group.competition.started_at is None:
        return []
    stage = group.stage
    is_ladder = stage.is_endless
    since, best = window_start(group, now), getattr(stage.chosen_options, "best_results", None)
    totals = add_up_results(group_id=group.pk, since=since, best=best)
    shown = [row for row in totals if row.status in (ON_LADDERS if is_ladder else IN_CUPS)]
    if stage.format_spec.order is Order.POSITIONS:
        return [Line.of(row, row.position) for row in sorted(shown, key=_by_position)]
    least = getattr(stage.chosen_options, "min_matches", 0)
    if stage.abilities.pairs_by_results:
        return _order_with_byes(group, shown)
    if group.competition.boards is not None:
        return _order_teams(group, shown)
    ranked = {row.entry_id: row for row in shown if row.results >= least and not _is_out(row)}
    ledger = _ledger_of(group, totals, since, best)
    if _MORE_THAN_SUMS.isdisjoint(stage.tiebreaks):
        lines = [
            Line.of(ranked[entrant], place, decided_by)
            for entrant, place, decided_by in order_briefly(ranked, ledger, stage.tiebreaks)
        ]
    else:
        lines = [
            Line.of(ranked[row.entrant], row.place, row.decided_by, _write_values(row, _MORE_THAN_SUMS))
            for row in order(ranked, ledger, stage.tiebreaks)
        ]
    return lines + [Line.of(row, None) for row in shown if row.entry_id not in ranked]


def _order_with_byes(group: Group, shown: Sequence[Totals]) -> list[Line]:
    """Return the table of a group in which rounds without a match count: byes give points."""
    stage = group.stage
    record = read_record(group)
    results = results_by_round(record)
    ledger = Ledger.of_results(
        results, _given_numbers(group, shown), group.competition.scoring, swiss_rounds=len(record.rounds)
    )
    totals = {row.entry_id: row._replace(points=ledger.sums.get(row.entry_id, Sums()).points) for row in shown}
    return [
        Line.of(totals[row.entrant], row.place, row.decided_by, _write_values(row, _MORE_THAN_ROWS))
        for row in order(_placed(shown), ledger, stage.tiebreaks)
    ] + [Line.of(totals[row.entry_id], None) for row in shown if _is_out(row)]


def _order_teams(group: Group, shown: Sequence[Totals]) -> list[Line]:
    """Return the table of a group of teams: each meeting is one match, which the sums of its boards decide."""
    record = read_record(group)
    teams = [row.entry_id for row in shown]
    given = {**_given_numbers(group, shown), **team_numbers(teams, record.games)}
    ledger = Ledger.of_results(results_of(record), given, group.competition.scoring)
    drawn: Counter[int] = Counter()
    for game in record.games:
        if game.points is not None and game.points.yellow == game.points.red:
            drawn.update(game.sides)
    totals = {row.entry_id: _of_meetings(row, ledger.sums.get(row.entry_id, Sums()), drawn) for row in shown}
    return [
        Line.of(totals[row.entrant], row.place, row.decided_by, _write_values(row, _MORE_THAN_SUMS | {*TEAM_TIEBREAKS}))
        for row in order(_placed(shown), ledger, group.stage.tiebreaks)
    ] + [Line.of(totals[row.entry_id], None) for row in shown if _is_out(row)]


def _of_meetings(row: Totals, sums: Sums, drawn: Mapping[int, int]) -> Totals:
    """Return a team's row with the sums of its meetings in place of those of its boards."""
    return row._replace(
        results=sums.rounds,
        played=sums.rounds,
        won=sums.wins,
        drawn=drawn[row.entry_id],
        lost=sums.rounds - sums.wins - drawn[row.entry_id],
        as_red=sums.matches_as_red,
        goals_for=sums.goals_for,
        goals_against=sums.goals_against,
        points=sums.points,
    )


def find_first(group: Group) -> int | None:
    """Return the entry that is champion by a group's stored table; of several who share a place the draw's first.

    The group was read with its stage and competition. Nine queries.
    """
    placed = Standing.objects.filter(group=group.pk, place__isnull=False).order_by("place", "seat__entry__draw")
    order = placed.values_list("seat__entry", flat=True)
    return find_champion(order, read_record(group), by_round=group.stage.abilities.pairs_by_results)


def _end_of(group: Group) -> datetime | None:
    """Return when a group ended; that of a ladder ends with its competition."""
    if group.stage.is_endless:
        return group.competition.finished_at
    return group.ended_at or group.competition.finished_at


def _ledger_of(group: Group, totals: Collection[Totals], since: datetime, best: int | None) -> Ledger[int]:
    """Return what the table's order is made of: the same results that the sums are made of."""
    return Ledger(
        sums={
            row.entry_id: Sums(row.points, row.played, row.won, row.goals_for, row.goals_against, row.as_red)
            for row in totals
        },
        given=_given_numbers(group, totals),
        results_of=lambda entrants: _results_of(group.pk, entrants, since),
        point_table=group.competition.scoring,
        rounds_of=None if best is None else partial(best_rounds, group_id=group.pk, since=since, best=best),
    )


def _given_numbers(group: Group, totals: Collection[Totals]) -> dict[str, Mapping[int, Number]]:
    """Return the numbers of the entrants that are no sums of results, those that the table's order needs."""
    given: dict[str, Mapping[int, Number]] = {"draw": {row.entry_id: row.draw for row in totals}}
    if "rating" in group.stage.tiebreaks:
        end = ratings_end(group)
        known = ratings_now(group.competition) if end is None else ratings_before(group.competition, end)
        given["rating"] = {row.entry_id: known.get(row.entry_id, rating.START) for row in totals}
    return given


def _results_of(group_id: int, entrants: Collection[int], since: datetime) -> Iterator[Result[int]]:
    fixtures = Fixture.objects.filter(
        group_id=group_id, counted_at__isnull=False, is_annulled=False, finished_at__gte=since
    )
    if len(entrants) <= MAX_ENTRANTS_BY_ID:
        fixtures = fixtures.filter(Q(yellow__in=entrants) | Q(red__in=entrants))
    for fixture in fixtures.only(*_RESULT).iterator():
        points, goals = fixture.points, fixture.goals
        if points is not None and goals is not None:
            yield Result(fixture.yellow_id, fixture.red_id, points, goals)


def _placed(shown: Sequence[Totals]) -> list[int]:
    return [row.entry_id for row in shown if not _is_out(row)]


def _is_out(row: Totals) -> bool:
    """Return whether an entrant has no place, as they were disqualified."""
    return bool(row.disqualification)


def _by_position(row: Totals) -> tuple[bool, int]:
    return row.position is None, row.position or row.entry_id


def _write_values(row: Row[int], keys: Collection[str]) -> dict[str, str]:
    return {key: write_number(value) for key, value in row.values.items() if key in keys}
