"""Swiss: each round everybody meets somebody of about the same score, and nobody twice (rules: competitions, "Cups").

Who meets whom follows FIDE's Dutch system (Handbook C.04.3) by scores of 1, ½ and 0, with Yellow as White; sides are
our own (``formats.pairing.swiss``). The table is one of match points, in which rounds without play count towards
tie-breaks as Handbook C.07 says (``formats.scoring.tiebreaks``).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from formats.marked_texts import gettext_noop
from formats.options import option
from formats.pairing.swiss.players import DRAW, WIN, Float, SwissPlayer
from formats.pairing.swiss.rounds import draw_round
from formats.protocol import (
    Abilities,
    DrawnRound,
    Flow,
    Game,
    Order,
    Outline,
    Pair,
    Picture,
    Place,
    PlainFormat,
    Record,
    Seat,
)
from formats.results import given_numbers, is_forfeited, results_by_round
from formats.scoring.standings import rank
from rules_engine.values import BySide, Side

E = TypeVar("E")

MAX_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class SwissOptions:
    """The options of a Swiss; ``rounds`` is empty for as many as its entrants need."""

    rounds: int | None = option(
        None,
        gettext_noop("rounds"),
        help_text=gettext_noop(
            "Empty: as many as a knock-out would have, so that no two players can win all their matches."
        ),
        minimum=1,
        maximum=MAX_ROUNDS,
    )
    byes_on_request: bool = option(
        False,
        gettext_noop("byes on request"),
        help_text=gettext_noop("Players can ask beforehand to sit out one round. This counts as a draw."),
        is_free=True,
    )
    organisers_publish: bool = option(
        False,
        gettext_noop("an organiser publishes each round"),
        help_text=gettext_noop(
            "Each round waits until an organiser has seen its pairings, changed them if need be, and published "
            "them. Rounds that have been drawn already stay as they are."
        ),
        is_free=True,
    )


class Swiss(PlainFormat):
    """Each round is paired when the one before it has ended; the losers play on.

    The first tie-breaks say how strong the opponents were: without the strongest and the weakest, whom chance may have
    brought, then with all of them. Points among the tied are left out, because they have seldom all met.
    """

    key = "swiss"
    label = gettext_noop("Swiss")
    noun = gettext_noop("Swiss tournament")
    summary = gettext_noop("Each round you meet somebody with about as many points as you have, and nobody twice.")
    flow = Flow.ROUNDS
    order = Order.RESULTS
    picture = Picture.TABLE
    options = SwissOptions
    tiebreaks: tuple[str, ...] = (
        "points",
        "median-buchholz",
        "buchholz",
        "sonneborn-berger",
        "wins",
        "goal-difference",
        "goals",
        "draw",
    )
    min_entrants = 2

    def abilities(self, options: SwissOptions) -> Abilities:
        """Return what it allows: nearly everything, for each round is paired anew."""
        return Abilities(
            late_entry=True,
            replacement=True,
            replays=True,
            byes_on_request=options.byes_on_request,
            pairs_by_results=True,
            organisers_publish=options.organisers_publish,
        )

    def outline(self, entrants: int, options: SwissOptions) -> Outline:
        """Return what a Swiss of so many comes to. Raises ``ValueError`` for fewer than two."""
        if entrants < self.min_entrants:
            raise ValueError(f"a Swiss needs {self.min_entrants} entrants, not {entrants}")
        rounds = _count_rounds(entrants, options)
        return Outline(rounds, rounds * (entrants // 2), rounds, rounds if entrants % 2 else 0)

    def next_rounds(self, record: Record[E], options: SwissOptions, seed: int) -> tuple[DrawnRound[E], ...]:
        """Return the next round, if the one before it has ended and there is another.

        An entrant has one bye on request at most, and none in a round that would be left without a match by it. The
        seed says on which side the first seed begins.
        """
        if _is_running(record) or self.is_over(record, options):
            return ()
        number = _next_number(record)
        present = _present_seats(record)
        had_one = {entrant for each in record.rounds for entrant in each.asked_byes}
        asking = {
            seat.entrant
            for seat in present
            if options.byes_on_request and number in seat.asked_byes and seat.entrant not in had_one
        }
        if len(present) - len(asking) < 2:
            asking = set()
        players = read_players(record)
        entrants = {seat.seed: seat.entrant for seat in record.seats}
        drawn = draw_round(
            [players[seat.entrant] for seat in present if seat.entrant not in asking],
            number,
            _count_rounds(_count_starters(record), options),
            Random(seed).choice(list(Side)),
        )

        def name(pairs: Sequence[BySide[int]]) -> tuple[Pair[E], ...]:
            return tuple(Pair(pair.map(entrants.__getitem__)) for pair in pairs)

        return (
            DrawnRound(
                number,
                name(drawn.pairs),
                () if drawn.bye is None else (entrants[drawn.bye],),
                tuple(seat.entrant for seat in present if seat.entrant in asking),
                name(drawn.repeats),
            ),
        )

    def is_over(self, record: Record[E], options: SwissOptions) -> bool:
        """Return whether the last round has ended, or fewer than two are left to play another."""
        if _is_running(record):
            return False
        rounds = _count_rounds(_count_starters(record), options)
        return _next_number(record) > rounds or len(_present_seats(record)) < self.min_entrants

    def places(self, record: Record[E], options: SwissOptions, tiebreaks: Sequence[str]) -> Sequence[Place[E]]:
        """Return everybody's place by their match points, who have withdrawn among them."""
        rows = rank(
            [seat.entrant for seat in record.seats],
            results_by_round(record),
            tiebreaks,
            given=given_numbers(record),
            point_table=record.point_table,
            swiss_rounds=len(record.rounds),
        )
        return [Place(row.entrant, row.place) for row in rows]

    def describe(
        self, options: SwissOptions, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how many rounds there are, who meets whom, and what byes are worth."""
        sentences: list[tuple[str, Mapping[str, Any]]] = [
            (gettext_noop("There are as many rounds as a knock-out would have."), {})
            if options.rounds is None
            else (gettext_noop("There is one round."), {})
            if options.rounds == 1
            else (gettext_noop("There are %(rounds)d rounds."), {"rounds": options.rounds}),
            (
                gettext_noop(
                    "You meet somebody with about as many wins as you have, and nobody twice if it can be avoided."
                ),
                {},
            ),
            (
                gettext_noop("If there is no opponent left for you, you get a bye. Nobody gets two."),
                {},
            ),
        ]
        if options.byes_on_request:
            sentences.append((gettext_noop("You can ask beforehand to sit out one round. This counts as a draw."), {}))
        if options.organisers_publish:
            sentences.append(
                (gettext_noop("An organiser looks at the pairings of each round, and publishes them."), {})
            )
        return sentences


@dataclass(slots=True)
class _History:
    """The record of an entrant in the rounds so far."""

    score: int = 0
    points: int = 0
    sides: list[Side] = field(default_factory=list)
    floats: list[Float] = field(default_factory=list)
    met: dict[int, tuple[int, ...]] = field(default_factory=dict)
    byes: int = 0
    forfeit_wins: int = 0


def read_players(record: Record[E]) -> dict[E, SwissPlayer]:
    """Return everybody as the Dutch system sees them before the next round; seeds are the pairing numbers."""
    seeds = {seat.entrant: seat.seed for seat in record.seats}
    histories = {entrant: _History() for entrant in seeds}
    games = defaultdict(list)
    for game in record.games:
        games[game.round].append(game)
    for held in sorted(record.rounds, key=lambda each: each.number):
        before = {entrant: history.score for entrant, history in histories.items()}
        for game in games[held.number]:
            for side in Side:
                _add_game(histories[game.sides[side]], game, side, seeds, before)
        for entrants, score, points in (
            (held.byes, WIN, record.point_table.bye),
            (held.asked_byes, DRAW, record.point_table.drawn),
        ):
            for entrant in entrants:
                history = histories[entrant]
                history.score += score
                history.points += points
                history.byes += score == WIN
                history.floats.append(Float.DOWN)
        for history in histories.values():
            if len(history.floats) < held.number:
                history.floats.append(Float.NONE)
    return {
        seat.entrant: SwissPlayer(
            seat.seed,
            history.score,
            history.points,
            tuple(history.sides),
            tuple(history.floats),
            history.met,
            history.byes,
            history.forfeit_wins,
        )
        for seat in record.seats
        for history in [histories[seat.entrant]]
    }


def _add_game(history: _History, game: Game[E], side: Side, seeds: Mapping[E, int], before: Mapping[E, int]) -> None:
    """Add a match to the history of the entrant who had this side. One that was forfeited was not a meeting."""
    own, opponent = game.sides[side], game.sides[side.opponent]
    gained, lost = (game.points[side], game.points[side.opponent]) if game.points is not None else (0, 0)
    history.points += gained
    history.score += WIN if gained > lost else 0
    if is_forfeited(game):
        history.forfeit_wins += gained > lost
        history.floats.append(Float.DOWN if gained > lost else Float.NONE)
        return
    history.score += DRAW if game.is_counted and gained == lost else 0
    history.sides.append(side)
    history.met[seeds[opponent]] = (*history.met.get(seeds[opponent], ()), game.round)
    if before[own] == before[opponent]:
        history.floats.append(Float.NONE)
    else:
        history.floats.append(Float.DOWN if before[own] > before[opponent] else Float.UP)


def _count_rounds(entrants: int, options: SwissOptions) -> int:
    """Return the rounds that were chosen, or as many as a knock-out of so many would have."""
    return options.rounds or max(1, (entrants - 1).bit_length())


def _count_starters(record: Record[E]) -> int:
    return sum(seat.first_round == 1 for seat in record.seats)


def _is_running(record: Record[E]) -> bool:
    return any(each.ended_at is None for each in record.rounds)


def _next_number(record: Record[E]) -> int:
    return max((each.number for each in record.rounds), default=0) + 1


def _present_seats(record: Record[E]) -> list[Seat[E]]:
    """Return the seats that are in the next round."""
    return [seat for seat in record.seats if not seat.is_empty and seat.first_round <= _next_number(record)]
