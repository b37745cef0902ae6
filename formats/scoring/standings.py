"""Standings: entrants in order, each with what set it apart from the place above.

Measuring (``tiebreaks``) and ordering are apart, so that the same order serves a cup, whose results
are few and at hand, and a ladder, whose sums a database has added up.

The order of a group of entrants is defined by the list of tiebreaks alone: the first tiebreak that
tells any two of the group apart, measured *within this group*, divides it into classes, best first;
each class with more than one entrant is then a group of its own, and is ordered afresh from the
head of the list. A group that no tiebreak divides shares its place. Starting afresh matters only to
tiebreaks that depend on who is tied: three that are level on points among the three may be set
apart by points among the two of them that are left.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import compress, groupby
from operator import ne
from typing import Generic, TypeVar

from formats.scoring.points import STANDARD, PointTable
from formats.scoring.tiebreaks import Bye, Ledger, Number, Result, Tiebreak, get_tiebreak

E = TypeVar("E", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Row(Generic[E]):
    """One line of the table.

    ``place`` counts from 1; those whom nothing tells apart share one, and the next places stay empty.
    ``values`` holds what was measured, by tiebreak key; points among the tied as among all who were
    level when it was first asked for. ``decided_by`` is the key of the tiebreak that set the row apart
    from the place above, empty for the first.
    """

    entrant: E
    place: int
    values: Mapping[str, Number]
    decided_by: str


def rank(
    entrants: Iterable[E],
    results: Iterable[Result[E] | Bye[E]],
    tiebreaks: Sequence[str],
    *,
    given: Mapping[str, Mapping[E, Number]] | None = None,
    point_table: PointTable = STANDARD,
    swiss_rounds: int | None = None,
) -> list[Row[E]]:
    """Return the table of the entrants from results at hand, in any order, with every tiebreak measured for each row.

    Results of somebody who is no entrant (any more) count for the opponents. ``given`` holds the
    numbers that come from elsewhere, ``{"draw": {entrant: lot}, "rating": ...}``; by ``point_table``
    the results have their points. With ``swiss_rounds`` rounds without play count as in a Swiss of
    so many. Raises ``ValueError`` for an unknown tiebreak, a missing number, or an entrant named twice.
    """
    ledger = Ledger.of_results(results, given, point_table, swiss_rounds)
    return order(entrants, ledger, tiebreaks, complete=True)


def order(
    entrants: Iterable[E], ledger: Ledger[E], tiebreaks: Sequence[str], *, complete: bool = False
) -> list[Row[E]]:
    """Return the table of the entrants from what the ledger knows.

    Tiebreaks that need results are measured only for those still tied when their turn comes, and the
    ledger is asked for all of these results at once, or not at all; ``complete`` measures them for
    every row (points among the tied excepted). Entrants who share a place keep the order in which
    they were given. Raises what ``rank`` raises.
    """
    everybody = list(entrants)
    if len(set(everybody)) != len(everybody):
        raise ValueError("an entrant is named twice")
    return _Table(ledger, [get_tiebreak(key) for key in tiebreaks]).rows_of(everybody, complete=complete)


def order_briefly(entrants: Iterable[E], ledger: Ledger[E], tiebreaks: Sequence[str]) -> list[tuple[E, int, str]]:
    """Return the table of ``order`` as entrants, places, and the tiebreak that set each apart from the place above.

    For tables so large that whole rows would cost more than ordering them.

    Raises ``ValueError`` for an unknown tiebreak or a missing number, and for one that needs the results themselves.
    """
    everybody = list(entrants)
    columns = [_column(get_tiebreak(key), ledger, everybody) for key in tiebreaks]
    keys = list(zip(*columns, strict=True)) if columns else [()] * len(everybody)
    rows: list[tuple[E, int, str]] = []
    place, decided_by = 1, ""
    before: tuple[Number, ...] = ()
    for index in sorted(range(len(everybody)), key=keys.__getitem__):
        key = keys[index]
        if rows and key != before:
            place, decided_by = len(rows) + 1, next(compress(tiebreaks, map(ne, key, before)))
        before = key
        rows.append((everybody[index], place, decided_by))
    return rows


def _column(tiebreak: Tiebreak, ledger: Ledger[E], entrants: Sequence[E]) -> list[Number]:
    """Return the numbers of the entrants, turned so that the smallest stands highest."""
    if tiebreak.needs_results:
        raise ValueError(f"{tiebreak.key!r} needs the results themselves")
    numbers = tiebreak.measure(ledger, entrants)
    return [numbers[entrant] if tiebreak.lower_first else -numbers[entrant] for entrant in entrants]


def write_number(number: Number) -> str:
    """Return the number as a table shows it: at most four decimals, and no more than it has."""
    if isinstance(number, int):
        return str(number)
    text = f"{number:.4f}" if isinstance(number, Decimal) else f"{float(number):.4f}"
    return text.rstrip("0").rstrip(".")


@dataclass(slots=True)
class _Group(Generic[E]):
    """Entrants who are level so far, and the tiebreak that sets them apart from those directly above."""

    members: list[E]
    decided_by: str


class _Table(Generic[E]):
    def __init__(self, ledger: Ledger[E], tiebreaks: Sequence[Tiebreak]) -> None:
        self.ledger = ledger
        self.tiebreaks = tiebreaks
        self.values: dict[str, dict[E, Number]] = {tiebreak.key: {} for tiebreak in tiebreaks}
        self.afresh = _first(tiebreak.among_tied for tiebreak in tiebreaks)

    def rows_of(self, entrants: list[E], *, complete: bool) -> list[Row[E]]:
        return self.write(self.groups_of(entrants, complete=complete))

    def groups_of(self, entrants: list[E], *, complete: bool = False) -> list[_Group[E]]:
        """Return the entrants in order, those together whom nothing tells apart."""
        for tiebreak in self.tiebreaks:
            if not tiebreak.needs_results or (complete and not tiebreak.among_tied):
                self.values[tiebreak.key].update(tiebreak.measure(self.ledger, entrants))
        sums_end = _first(tiebreak.needs_results for tiebreak in self.tiebreaks)
        groups = self.divide([_Group(entrants, "")] if entrants else [], 0, sums_end)
        if sums_end < len(self.tiebreaks):
            self.ledger.load_meetings(
                [member for group in groups if len(group.members) > 1 for member in group.members]
            )
            groups = self.divide(groups, sums_end, len(self.tiebreaks))
        return groups

    def divide(self, groups: Iterable[_Group[E]], start: int, stop: int) -> list[_Group[E]]:
        """Return the groups divided by the tiebreaks from ``start`` to ``stop``, in order.

        A class goes back to the first tiebreak that depends on who is tied; those before it cannot
        divide what they left together.
        """
        divided = []
        waiting = [(group, start) for group in groups]
        waiting.reverse()
        while waiting:
            group, index = waiting.pop()
            if index == stop or len(group.members) == 1:
                divided.append(group)
                continue
            classes = self.classify(group, index)
            following = index + 1 if len(classes) == 1 else min(index + 1, self.afresh)
            waiting.extend((each, following) for each in reversed(classes))
        return divided

    def classify(self, group: _Group[E], index: int) -> list[_Group[E]]:
        """Return the classes, best first, into which one tiebreak divides the group."""
        tiebreak = self.tiebreaks[index]
        numbers = self.measure(tiebreak, group.members)
        members = sorted(group.members, key=numbers.__getitem__, reverse=not tiebreak.lower_first)
        classes: list[_Group[E]] = []
        for _number, equals in groupby(members, key=numbers.__getitem__):
            classes.append(_Group(list(equals), tiebreak.key if classes else group.decided_by))
        return classes

    def measure(self, tiebreak: Tiebreak, members: Collection[E]) -> Mapping[E, Number]:
        known = self.values[tiebreak.key]
        if tiebreak.among_tied:
            numbers = tiebreak.measure(self.ledger, members)
            for entrant, number in numbers.items():
                known.setdefault(entrant, number)
            return numbers
        if tiebreak.needs_results:
            known.update(tiebreak.measure(self.ledger, [member for member in members if member not in known]))
        return known

    def write(self, groups: Sequence[_Group[E]]) -> list[Row[E]]:
        rows: list[Row[E]] = []
        measured = tuple(self.values.items())
        for group in groups:
            place = len(rows) + 1
            for entrant in group.members:
                values = {key: known[entrant] for key, known in measured if entrant in known}
                rows.append(Row(entrant, place, values, group.decided_by))
        return rows


def _first(flags: Iterable[bool]) -> int:
    """Return the index of the first true flag, or their number."""
    index = -1
    for index, flag in enumerate(flags):
        if flag:
            return index
    return index + 1
