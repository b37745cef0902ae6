"""What tables that follow from results are made of: the results, lots and ratings of a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from tournaments.formats.protocol import Record
from tournaments.tiebreaks import Number, Result

E = TypeVar("E")


def results_of(record: Record[E]) -> Iterator[Result[E]]:
    """Yield the results that count, in the order of the record."""
    for game in record.games:
        if game.points is not None and game.goals is not None:
            yield Result(game.sides.yellow, game.sides.red, game.points, game.goals)


def given_numbers(record: Record[E]) -> Mapping[str, Mapping[E, Number]]:
    """Return the numbers of the entrants that are no sums of results, by the key of their tie-break."""
    return {
        "draw": {seat.entrant: seat.lot for seat in record.seats},
        "rating": {seat.entrant: seat.rating for seat in record.seats},
    }
