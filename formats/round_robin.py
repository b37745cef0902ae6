"""The round robin: everybody meets everybody, once or twice (rules: competitions, "Cups")."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from formats.marked_texts import gettext_noop
from formats.options import option
from formats.pairing.round_robin import meet_all, schedule
from formats.protocol import (
    Abilities,
    DrawnRound,
    Flow,
    Order,
    Outline,
    Pair,
    Picture,
    Place,
    PlainFormat,
    Record,
)
from formats.results import balance_of, given_numbers, results_of
from formats.scoring.standings import rank

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class RoundRobinOptions:
    """The options of a round robin."""

    cycles: int = option(1, gettext_noop("matches of each pair"), minimum=1, maximum=2)


class RoundRobin(PlainFormat):
    """Everybody meets everybody. All rounds are known from the start; each latecomer adds one against all others.

    An entrant who sits out a round has no points for it: where the number of entrants is odd, everybody does. The
    tables give the sides, and in added rounds the one who has been Yellow less often is Yellow.
    """

    key = "round-robin"
    label = gettext_noop("Round robin")
    noun = gettext_noop("round robin")
    summary = gettext_noop("Everybody plays everybody.")
    flow = Flow.ROUNDS
    order = Order.RESULTS
    picture = Picture.CROSS_TABLE
    options = RoundRobinOptions
    tiebreaks: tuple[str, ...] = (
        "points",
        "head-to-head",
        "sonneborn-berger",
        "wins",
        "goal-difference",
        "goals",
        "draw",
    )
    min_entrants = 2

    def name(self, options: RoundRobinOptions) -> str:
        """Return what it is called: by how often everybody meets."""
        return self.label if options.cycles == 1 else gettext_noop("Double round robin")

    def abilities(self, options: RoundRobinOptions) -> Abilities:
        """Return what it allows: entry after the start as well, as long as no round waits for another."""
        return Abilities(late_entry=True, replacement=True, replays=True, teams=True)

    def outline(self, entrants: int, options: RoundRobinOptions) -> Outline:
        """Return what a round robin of so many comes to. Raises ``ValueError`` for fewer than two."""
        if entrants < self.min_entrants:
            raise ValueError(f"a round robin needs {self.min_entrants} entrants, not {entrants}")
        cycles = options.cycles
        is_odd = entrants % 2
        return Outline(
            rounds=(entrants if is_odd else entrants - 1) * cycles,
            matches=entrants * (entrants - 1) // 2 * cycles,
            matches_each=(entrants - 1) * cycles,
            byes=entrants * cycles if is_odd else 0,
        )

    def next_rounds(self, record: Record[E], options: RoundRobinOptions, seed: int) -> tuple[DrawnRound[E], ...]:
        """Return the rounds that are not published yet: all at the start, later those that latecomers add."""
        return tuple(_plan(record, options.cycles))

    def is_over(self, record: Record[E], options: RoundRobinOptions) -> bool:
        """Return whether every round has been published, and no match is without its result."""
        return all(game.is_counted for game in record.games) and not self.next_rounds(record, options, 0)

    def places(self, record: Record[E], options: RoundRobinOptions, tiebreaks: Sequence[str]) -> Sequence[Place[E]]:
        """Return everybody's place by their results, who have withdrawn among them."""
        entrants = [seat.entrant for seat in record.seats]
        given, table = given_numbers(record), record.point_table
        rows = rank(entrants, results_of(record), tiebreaks, given=given, point_table=table)
        return [Place(row.entrant, row.place) for row in rows]

    def describe(
        self, options: RoundRobinOptions, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how often everybody, or every team, plays all others."""
        if of_teams:
            return [(_TEAMS_ONCE if options.cycles == 1 else _TEAMS_TWICE, {})]
        if in_groups:
            return [(_IN_GROUPS_ONCE if options.cycles == 1 else _IN_GROUPS_TWICE, {})]
        if options.cycles == 1:
            return [(gettext_noop("Everybody plays everybody once."), {})]
        return [(gettext_noop("Everybody plays everybody twice, with sides swapped."), {})]


_IN_GROUPS_ONCE = gettext_noop("In each group, everybody plays everybody once.")
_IN_GROUPS_TWICE = gettext_noop("In each group, everybody plays everybody twice, with sides swapped.")
_TEAMS_ONCE = gettext_noop("All teams play each other once.")
_TEAMS_TWICE = gettext_noop("All teams play each other twice, with sides swapped.")


def _plan(record: Record[E], cycles: int) -> Iterator[DrawnRound[E]]:
    """Yield the rounds that are not published yet: those of the tables, and one for each latecomer."""
    published = {each.number for each in record.rounds}
    balance = balance_of(record)
    met = [seat.entrant for seat in record.seats if seat.first_round == 1]
    tables = schedule(met, cycles)
    for each in tables:
        if each.number not in published:
            for sides in each.pairs:
                balance.count(sides)
            yield DrawnRound(each.number, tuple(map(Pair, each.pairs)), () if each.bye is None else (each.bye,))
    taken = {seat.entrant for seat in record.seats if not seat.is_empty}
    latecomers = (seat.entrant for seat in record.seats if seat.first_round > 1)
    for number, latecomer in enumerate(latecomers, start=len(tables) + 1):
        if number not in published:
            pairs = meet_all(latecomer, met, cycles, balance, taken.__contains__)
            yield DrawnRound(number, tuple(map(Pair, pairs)))
        met.append(latecomer)
