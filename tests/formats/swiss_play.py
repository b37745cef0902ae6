"""Random Swiss competitions, played round by round, and slow and obvious means to find what must hold of a round."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from random import Random
from typing import Any

from formats.protocol import Absence, DrawnRound, Game, HeldRound, Record, Seat
from formats.swiss import Swiss, SwissOptions
from rules_engine.values import BySide, Ending

SWISS = Swiss()
START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
OUTCOMES = [(5, 0), (0, 5), (4, 1), (1, 4), (3, 2), (2, 3), (2, 2)]


def make_seats(size: int, **about: Any) -> tuple[Seat[str], ...]:
    return tuple(Seat(f"p{seed}", seed, lot=seed, **about) for seed in range(1, size + 1))


def hold(record: Record[str], drawn: DrawnRound[str], games: list[Game[str]]) -> Record[str]:
    """Return the record with this round, which has ended, and these matches of it."""
    began = START + drawn.number * DAY
    held = HeldRound(drawn.number, began, None, began + DAY / 2, drawn.byes, drawn.asked_byes)
    return replace(record, rounds=(*record.rounds, held), games=(*record.games, *games))


def finish(drawn: DrawnRound[str], points: BySide[int], **about: Any) -> list[Game[str]]:
    """Return the matches of the round, all with the same result."""
    return [
        Game(drawn.number, pair.sides, points=points, goals=BySide(0, 0), ending=Ending.NORMAL_TIME, **about)
        for pair in drawn.pairs
    ]


def play_round(record: Record[str], options: SwissOptions, points: BySide[int], seed: int = 0) -> Record[str]:
    """Return the record with one round more, in which every match has the same result."""
    (drawn,) = SWISS.next_rounds(record, options, seed)
    return hold(record, drawn, finish(drawn, points))


@dataclass
class Play:
    """A competition as it is played at random: before each round the record, and the round that was drawn."""

    record: Record[str]
    options: SwissOptions
    rounds: list[tuple[Record[str], DrawnRound[str]]] = field(default_factory=list)


def play(random: Random, size: int, rounds: int, *, quiet: bool = False) -> Play:
    """Return a competition of so many, with withdrawals, late entries, byes asked for and forfeits unless ``quiet``."""
    seats = make_seats(size)
    if not quiet:
        seats = tuple(
            replace(
                seat,
                first_round=random.choice([1] * 8 + [2, 3]),
                asked_byes=frozenset(random.choices(range(1, rounds + 1), k=random.choice([0] * 6 + [1, 2]))),
            )
            for seat in seats
        )
    played = Play(Record(seats), SwissOptions(rounds=rounds))
    while following := SWISS.next_rounds(played.record, played.options, size):
        (drawn,) = following
        played.rounds.append((played.record, drawn))
        games = [_finish_at_random(random, game, quiet=quiet) for game in finish(drawn, BySide(2, 2))]
        record = hold(played.record, drawn, games)
        leaver = None if quiet or random.random() < 0.8 else random.choice(record.seats)
        away = (Absence(START + drawn.number * DAY + DAY / 3),)
        played.record = replace(
            record, seats=tuple(replace(seat, absences=away) if seat is leaver else seat for seat in record.seats)
        )
    return played


def _finish_at_random(random: Random, game: Game[str], *, quiet: bool) -> Game[str]:
    if quiet or random.random() < 0.85:
        return replace(game, points=BySide(*random.choice(OUTCOMES)))
    loser = random.choice([game.sides.yellow, game.sides.red, None])
    points = {game.sides.yellow: (0, 5), game.sides.red: (5, 0), None: (0, 0)}[loser]
    return replace(game, points=BySide(*points), ending=Ending.FORFEIT, forfeited_by=loser)


def players_in(record: Record[str], drawn: DrawnRound[str]) -> list[str]:
    """Return the entrants who have to be in the round: those who have neither left nor are still to come."""
    return [seat.entrant for seat in record.seats if not seat.absences and seat.first_round <= drawn.number]


def rounds_met(record: Record[str], one: str, other: str) -> list[int]:
    """Return the rounds in which the two have played, the newest first."""
    met = [game.round for game in record.games if {*game.sides} == {one, other} and game.ending is not Ending.FORFEIT]
    return sorted(met, reverse=True)


def sides_of(record: Record[str], entrant: str) -> str:
    """Return the sides that were played, one letter a match, in order."""
    games = sorted((game for game in record.games if entrant in game.sides), key=lambda game: game.round)
    return "".join("Y" if game.sides.yellow == entrant else "R" for game in games if game.ending is not Ending.FORFEIT)


def is_too_much(sides: str) -> bool:
    """Return whether the last match made a side the third running, or played three times more than the other."""
    return sides[-3:] in {"YYY", "RRR"} or abs(sides.count("Y") - sides.count("R")) > 2


def score_of(record: Record[str], entrant: str) -> float:
    """Return the score of 1, ½ and 0."""
    score = 0.0
    for game in record.games:
        if entrant in game.sides:
            own, other = game.points if game.sides.yellow == entrant else reversed(tuple(game.points))
            is_drawn = own == other and game.ending is not Ending.FORFEIT
            score += 1 if own > other else 0.5 * is_drawn
    score += sum(entrant in each.byes for each in record.rounds)
    return score + sum(entrant in each.asked_byes for each in record.rounds) / 2


def byes_of(record: Record[str], entrant: str) -> int:
    return sum(entrant in each.byes for each in record.rounds)


def can_be_seated(record: Record[str], drawn: DrawnRound[str], rounds: int, one: str, other: str) -> bool:
    """Return whether the two can be seated so that neither has a side too often, or need not in the last round."""
    first, second = sides_of(record, one), sides_of(record, other)
    if not (is_too_much(first + "Y") or is_too_much(second + "R")):
        return True
    if not (is_too_much(first + "R") or is_too_much(second + "Y")):
        return True
    best = max(score_of(record, one), score_of(record, other))
    return drawn.number == rounds and best > (drawn.number - 1) / 2


def pairings(players: list[str], byes: list[str]) -> Iterator[tuple[list[tuple[str, str]], str | None]]:
    """Yield every way to pair all the players; where their number is odd, one of ``byes`` has the bye."""
    if len(players) % 2:
        for one in byes:
            rest = [each for each in players if each != one]
            yield from ((pairs, one) for pairs, _ in pairings(rest, []))
    elif not players:
        yield [], None
    else:
        for other in players[1:]:
            rest = [each for each in players[1:] if each != other]
            yield from (([(players[0], other), *pairs], None) for pairs, _ in pairings(rest, []))


def repeats_in(record: Record[str], pairs: list[tuple[str, str]]) -> tuple[int, list[tuple[int, int]]]:
    """Return how many pairs have met, and how many meetings there were in each round, the newest first."""
    met = [rounds_met(record, *pair) for pair in pairs]
    rounds = sorted((number for each in met for number in each), reverse=True)
    return sum(map(bool, met)), [(number, len(list(same))) for number, same in groupby(rounds)]
