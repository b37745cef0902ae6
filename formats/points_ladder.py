"""The points ladder: a table of the results of the last days (rules: competitions, "Ladder")."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar

from formats.ladders import (
    MAX_NUMBER,
    EndlessFormat,
    describe_inactivity,
    inactivity_option,
    rematch_option,
    return_option,
    window_option,
)
from formats.marked_texts import gettext_noop
from formats.options import option
from formats.protocol import Order, Place, Record
from formats.results import given_numbers
from formats.scoring.standings import order
from formats.scoring.tiebreaks import Ledger, Meeting, Sums
from rules_engine.values import Side

E = TypeVar("E")

MAX_GAMES_EACH = 50
"""The most games that a ladder may let everybody play at a time."""


@dataclass(frozen=True, slots=True)
class PointsLadderOptions:
    """The options of a points ladder; ``window_days`` is 0 for all time, ``best_results`` empty for all."""

    window_days: int = window_option()
    best_results: int | None = option(
        None,
        gettext_noop("number of best results that count"),
        minimum=1,
        maximum=MAX_NUMBER,
        is_free=True,
        shapes_table=True,
    )
    min_matches: int = option(
        3,
        gettext_noop("matches before a player is ranked"),
        minimum=0,
        maximum=MAX_NUMBER,
        is_free=True,
        shapes_table=True,
    )
    games_each: int = option(
        2, gettext_noop("running games of each player"), minimum=1, maximum=MAX_GAMES_EACH, is_free=True
    )
    rematch_days: int = rematch_option()
    inactive_days: int = inactivity_option()
    return_days: int = return_option()


class PointsLadder(EndlessFormat):
    """Everybody is kept at some running games against players near in the table, which results out of date leave."""

    key = "points-ladder"
    label = gettext_noop("Points ladder")
    noun = gettext_noop("ladder")
    summary = gettext_noop("Games start automatically, against players near you. Your results decide your place.")
    order = Order.RESULTS
    options = PointsLadderOptions

    def places(self, record: Record[E], options: PointsLadderOptions, tiebreaks: Sequence[str]) -> Sequence[Place[E]]:
        """Return the places of those who have played enough; all others, and who have left, have none."""
        seen = _results_by_entrant(record, options.window_days)
        counted = {entrant: _best(results, options.best_results) for entrant, results in seen.items()}
        ranked = [
            seat.entrant
            for seat in record.seats
            if not seat.is_empty and len(seen.get(seat.entrant, ())) >= options.min_matches
        ]
        rounds = {entrant: [each.meeting for each in results] for entrant, results in counted.items()}
        ledger = Ledger(
            {entrant: _add_up(results) for entrant, results in counted.items()},
            given_numbers(record),
            point_table=record.point_table,
            rounds_of=lambda _: rounds,
        )
        rows: list[Place[E]] = [Place(row.entrant, row.place) for row in order(ranked, ledger, tiebreaks)]
        placed = set(ranked)
        return rows + [Place(seat.entrant, None) for seat in record.seats if seat.entrant not in placed]

    def describe(
        self, options: PointsLadderOptions, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how games start, which results count, when a player is ranked, and who leaves by doing nothing."""
        sentences: list[tuple[str, Mapping[str, Any]]] = [
            (
                gettext_noop(
                    "Games start automatically: you play up to %(games)d at the same time, against players near you."
                ),
                {"games": options.games_each},
            ),
            (gettext_noop("Results of the last %(days)d days count."), {"days": options.window_days})
            if options.window_days
            else (gettext_noop("All results count."), {}),
        ]
        if options.best_results:
            sentences.append(
                (gettext_noop("Only your best %(number)d results count."), {"number": options.best_results})
            )
        if options.min_matches:
            sentence = (
                gettext_noop("You are ranked after %(number)d match.")
                if options.min_matches == 1
                else gettext_noop("You are ranked after %(number)d matches.")
            )
            sentences.append((sentence, {"number": options.min_matches}))
        return sentences + describe_inactivity(options.inactive_days)


def window_start(as_of: datetime | None, window_days: int) -> datetime | None:
    """Return from when on results count, ``None`` for all time. A window begins at midnight UTC, all day the same."""
    if as_of is None or not window_days:
        return None
    midnight = as_of.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=window_days)


class _Seen(NamedTuple, Generic[E]):
    """A result from one entrant's view."""

    opponent: E
    points: int
    points_against: int
    goals_for: int
    goals_against: int
    as_red: bool
    ended_at: datetime
    number: int

    @property
    def meeting(self) -> Meeting[E]:
        return Meeting(self.opponent, self.points)


def _results_by_entrant(record: Record[E], window_days: int) -> dict[E, list[_Seen[E]]]:
    start = window_start(record.as_of, window_days)
    seen: dict[E, list[_Seen[E]]] = defaultdict(list)
    for game in record.games:
        points, goals, ended_at = game.points, game.goals, game.ended_at
        if points is None or goals is None or ended_at is None or (start is not None and ended_at < start):
            continue
        for side in Side:
            other = side.opponent
            seen[game.sides[side]].append(
                _Seen(
                    game.sides[other],
                    points[side],
                    points[other],
                    goals[side],
                    goals[other],
                    side is Side.RED,
                    ended_at,
                    game.number,
                )
            )
    return seen


def _best(results: Iterable[_Seen[E]], number: int | None) -> list[_Seen[E]]:
    """Return the results that count: those with most points, then with the better goals, then the older ones."""
    best_first = sorted(
        results,
        key=lambda each: (
            -each.points,
            each.goals_against - each.goals_for,
            -each.goals_for,
            each.ended_at,
            each.number,
        ),
    )
    return best_first[:number]


def _add_up(results: Sequence[_Seen[E]]) -> Sums:
    return Sums(
        points=sum(each.points for each in results),
        rounds=len(results),
        wins=sum(each.points > each.points_against for each in results),
        goals_for=sum(each.goals_for for each in results),
        goals_against=sum(each.goals_against for each in results),
        matches_as_red=sum(each.as_red for each in results),
    )
