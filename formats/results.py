"""The basis of tables and sides: the results, lots, ratings and matches of a record."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from formats.pairing.proposed import Past
from formats.protocol import Game, HeldRound, Record, Seat
from formats.scoring.tiebreaks import Bye, Number, Result
from formats.sides import Balance
from rules_engine.values import Ending, Side

E = TypeVar("E")


def results_of(record: Record[E]) -> Iterator[Result[E]]:
    """Yield the results that count, in the order of the record."""
    for game in record.games:
        if game.points is not None and game.goals is not None:
            yield Result(game.sides.yellow, game.sides.red, game.points, game.goals)


def results_by_round(record: Record[E]) -> Iterator[Result[E] | Bye[E]]:
    """Yield the results that count, and a bye for every round of an entrant without a match, for tables of Swiss.

    A free bye has the points of the table, one that was asked for those of a draw. Rounds before a late entry and after
    leaving are byes of own will without points; a round whose match was annulled is one without points, too.
    """
    playing = {(game.round, entrant) for game in record.games for entrant in game.sides}
    for game in record.games:
        if game.points is not None and game.goals is not None:
            sides, is_played = game.sides, not is_forfeited(game)
            yield Result(sides.yellow, sides.red, game.points, game.goals, game.round, is_played)
    for held in record.rounds:
        for seat in record.seats:
            if (held.number, seat.entrant) not in playing:
                yield _bye_of(record, held, seat)


def is_forfeited(game: Game[E]) -> bool:
    """Return whether the match ended without play, won by one side or by neither."""
    return game.ending is Ending.FORFEIT or game.forfeited_by is not None


def _bye_of(record: Record[E], held: HeldRound[E], seat: Seat[E]) -> Bye[E]:
    if seat.entrant in held.byes:
        return Bye(seat.entrant, record.point_table.bye, held.number)
    if seat.entrant in held.asked_byes:
        return Bye(seat.entrant, record.point_table.drawn, held.number, is_voluntary=True)
    is_missing = seat.first_round > held.number or seat.was_empty_at(held.started_at)
    return Bye(seat.entrant, 0, held.number, is_voluntary=is_missing)


def given_numbers(record: Record[E]) -> Mapping[str, Mapping[E, Number]]:
    """Return the numbers of the entrants that are no sums of results, by the key of their tie-break."""
    return {
        "draw": {seat.entrant: seat.lot for seat in record.seats},
        "rating": {seat.entrant: seat.rating for seat in record.seats},
    }


def balance_of(record: Record[E]) -> Balance[E]:
    """Return how often everybody has been Yellow, and on which side everybody was last."""
    return balance_of_games({seat.entrant: seat.lot for seat in record.seats}, record.games)


def balance_of_games(lots: Mapping[E, int], games: Iterable[Game[E]]) -> Balance[E]:
    """Return the balance that games give, of those who have these lots."""
    played = sorted(games, key=lambda game: (game.round, game.leg, game.number))
    return Balance(lots, [game.sides for game in played if game.ending is not Ending.FORFEIT])


def pasts_of(record: Record[E]) -> Mapping[E, Past[E]]:
    """Return what the rounds before have brought everybody, for an organiser who pairs the next one by hand."""
    met: dict[E, set[E]] = {seat.entrant: set() for seat in record.seats}
    sides: dict[E, list[Side]] = {seat.entrant: [] for seat in record.seats}
    without_play = {entrant for held in record.rounds for entrant in held.byes}
    points = dict.fromkeys(met, 0)
    for game in sorted(record.games, key=lambda each: each.round):
        for side in Side:
            own, other = game.sides[side], game.sides[side.opponent]
            if not is_forfeited(game):
                met[own].add(other)
                sides[own].append(side)
            elif game.points is not None and game.points[side] > game.points[side.opponent]:
                without_play.add(own)
    for each in results_by_round(record):
        if isinstance(each, Bye):
            points[each.entrant] += each.points
        else:
            points[each.yellow] += each.points.yellow
            points[each.red] += each.points.red
    return {
        seat.entrant: Past(
            frozenset(met[seat.entrant]),
            tuple(sides[seat.entrant]),
            had_bye=seat.entrant in without_play,
            is_gone=seat.is_empty,
            points=points[seat.entrant],
        )
        for seat in record.seats
    }
