"""A match of several points is made of any game: here of one in which a side gets the point by saying so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.picture import Picture, Route, Space
from rules_engine.protocol import Roll, Step
from rules_engine.series import Opener, Series
from rules_engine.values import BySide, Ending, Nature, Outcome, Side, Turn

YELLOW, RED = Side.YELLOW, Side.RED
FACES = (Roll("heads", Fraction(1, 3)), Roll("tails", Fraction(2, 3)))


@dataclass(frozen=True)
class Word:
    """The point goes to the side named, once a die of its own has been rolled."""

    first: Side
    rolled: str = ""
    winner: Side | None = None

    stage = "word"
    task = "Say who gets the point."

    def __str__(self) -> str:
        return f"{self.first} {self.rolled or '?'} {self.winner or '-'}"

    @property
    def turn(self) -> Turn:
        if self.winner:
            return None
        return self.first if self.rolled else Nature.CHANCE

    @property
    def score(self) -> BySide[int]:
        return BySide(int(self.winner is YELLOW), int(self.winner is RED))

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.winner, Ending.NORMAL_TIME, self.score) if self.winner else None

    def chance(self) -> tuple[Roll, ...]:
        return () if self.rolled else FACES

    def legal_moves(self) -> list[str]:
        return ["to-yellow", "to-red"] if isinstance(self.turn, Side) else []

    def play(self, text: str) -> Word:
        if text in self.legal_moves():
            return replace(self, winner=Side(text.removeprefix("to-")))
        if text in [face.text for face in self.chance()]:
            return replace(self, rolled=text)
        raise IllegalMove("W1", f"{text} is not to be said now")

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        return () if prefix else tuple(Step(text, "here", final=True) for text in self.legal_moves())

    def placement_plan(self) -> None:
        return None

    @property
    def decision(self) -> str:
        return ""

    def rehearsals(self, side: Side) -> dict[str, Word]:
        return {}

    def route(self, move: str) -> Route:
        return Route(kick=("here",))

    def in_words(self) -> tuple[str, ...]:
        return ("One space.",)

    def describe(self, text: str) -> str:
        return f"Somebody says {text}."

    def picture(self) -> Picture:
        return Picture(1, 1, (Space("here", 0, 0, "pitch"),), (), (), None)


class Words:
    """The game of words."""

    max_turn_actions = 1

    def start(self, first: Side) -> Word:
        return Word(first)

    def read(self, text: str) -> Word:
        first, rolled, winner = text.split()
        return Word(Side(first), rolled.strip("?"), None if winner == "-" else Side(winner))

    def read_move(self, text: str) -> str:
        if text not in ("heads", "tails", "to-yellow", "to-red"):
            raise InvalidNotation(f"{text!r} is no word")
        return text


def series(first=Opener.YELLOW, later=Opener.CONCEDER, worth=((3, 0), (2, 1))):
    """Return a match of words, first to as many points as ``worth`` has rows."""
    return Series("words", "words", "Words", Words(), worth, first, later, rule="W9")  # type: ignore[arg-type]


def play(state, *texts):
    """Return the state after these texts."""
    for text in texts:
        state = state.play(text)
    return state


@pytest.mark.parametrize(
    ("later", "scorer", "opener"),
    [
        (Opener.YELLOW, YELLOW, YELLOW),
        (Opener.YELLOW, RED, YELLOW),
        (Opener.SCORER, YELLOW, YELLOW),
        (Opener.SCORER, RED, RED),
        (Opener.CONCEDER, YELLOW, RED),
        (Opener.CONCEDER, RED, YELLOW),
    ],
)
def test_the_side_that_begins_later_points_is_a_rule_given_as_data(later, scorer, opener):
    state = play(series(later=later).start(), "heads", f"to-{scorer}")

    assert state.rally == Word(opener)
    assert str(state) == f"{state.score.yellow}-{state.score.red} {opener} ? -"


def test_a_coin_may_be_tossed_before_every_point():
    state = play(series(first=Opener.COIN, later=Opener.COIN).start(), "red", "tails", "to-red")

    assert str(state) == "0-1 coin"
    assert [roll.text for roll in state.chance()] == ["yellow", "red"]
    assert sum(roll.probability for roll in state.chance()) == 1
    assert state.legal_moves() == state.steps() == ()
    assert state.stage == "point 2, coin toss"
    assert play(state, "yellow").rally == Word(YELLOW)


def test_there_may_be_no_coin_at_all():
    game = series(first=Opener.YELLOW, later=Opener.SCORER)

    assert str(game.start()) == "0-0 yellow ? -"
    for text in ("yellow", "red"):
        with pytest.raises(InvalidNotation):
            game.read_move(text)


@pytest.mark.parametrize("first", [Opener.SCORER, Opener.CONCEDER])
def test_nobody_has_scored_before_the_first_point(first):
    with pytest.raises(ValueError, match="nobody has scored"):
        series(first=first)


def test_a_match_has_a_point_at_least():
    with pytest.raises(ValueError, match="a point at least"):
        series(worth=())


def test_chance_inside_a_point_is_the_points_own():
    state = series().start()

    assert state.turn is Nature.CHANCE
    assert state.chance() == FACES
    assert state.play("heads").turn is YELLOW


def test_moves_are_refused_by_the_point_and_points_by_the_match():
    game = series(first=Opener.COIN)
    tossed = play(game.start(), "yellow")

    for state, text, rule in [
        (game.start(), "heads", "W9"),
        (tossed, "red", "W9"),
        (tossed, "to-red", "W1"),
        (play(tossed, "heads", "to-red", "heads", "to-red"), "heads", "W9"),
    ]:
        with pytest.raises(IllegalMove) as refusal:
            state.play(text)
        assert refusal.value.rule == rule


def test_a_match_is_won_by_as_many_points_as_its_table_has_rows():
    state = play(series().start(), "heads", "to-red", "heads", "to-yellow", "heads")

    assert state.outcome is None
    assert state.play("to-red").outcome == Outcome(RED, Ending.NORMAL_TIME, BySide(1, 2))
    assert series().match_points(state.play("to-red").outcome) == BySide(1, 2)
    assert series().match_points(Outcome(YELLOW, Ending.NORMAL_TIME, BySide(2, 0))) == BySide(3, 0)
    assert series().match_points(Outcome(YELLOW, Ending.TIMEOUT, BySide(0, 1))) == BySide(3, 0)


@pytest.mark.parametrize(
    ("later", "text", "known"),
    [
        (Opener.CONCEDER, "0-0 yellow ? -", True),
        (Opener.CONCEDER, "0-0 red ? -", False),
        (Opener.CONCEDER, "1-0 red ? -", True),
        (Opener.CONCEDER, "1-0 yellow ? -", False),
        (Opener.SCORER, "1-0 yellow ? -", True),
        (Opener.SCORER, "1-0 red ? -", False),
        (Opener.COIN, "1-0 yellow ? -", True),
        (Opener.COIN, "1-0 red ? -", True),
        (Opener.COIN, "1-1 coin", True),
        (Opener.COIN, "0-0 coin", False),
        (Opener.COIN, "2-0 coin", False),
        (Opener.CONCEDER, "1-1 coin", False),
        (Opener.CONCEDER, "2-0 red heads yellow", True),
        (Opener.CONCEDER, "2-0 red heads red", False),
        (Opener.CONCEDER, "1-0 yellow heads yellow", False),
        (Opener.CONCEDER, "2-0 red heads -", False),
        (Opener.CONCEDER, "2-2 red heads yellow", False),
    ],
)
def test_a_position_is_read_if_a_match_can_come_to_it(later, text, known):
    game = series(later=later)
    if known:
        assert str(game.read(text)) == text
    else:
        with pytest.raises(InvalidNotation, match=r"no match can (reach the position|have this score at this point)"):
            game.read(text)


def test_a_route_and_clicks_are_the_points_own():
    state = play(series(first=Opener.COIN).start(), "yellow", "heads")

    assert [step.text for step in state.steps()] == ["to-yellow", "to-red"]
    assert state.route("to-red") == Route(kick=("here",))
    assert series(first=Opener.COIN).start().route("red") == Route()
    with pytest.raises(InvalidNotation):
        series(first=Opener.COIN).start().steps("to-red")
