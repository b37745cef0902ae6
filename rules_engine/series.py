"""A game of games: matches of several points, each played on a fresh board, first to so many.

One point is played in a *rally*, a game of its own whose outcome says who gets the point. A ``Series`` makes a
whole ``Game`` of any such rallies; who begins each is data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Protocol
from zlib import crc32

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.picture import Picture, Route
from rules_engine.protocol import Interchange, PlacementPlan, Roll, State, Step
from rules_engine.values import BySide, ChanceDevice, Ending, Nature, Outcome, Score, Side, Turn

COIN = tuple(Roll(side.value, Fraction(1, 2), kind="coin") for side in Side)
"""The faces of the coin: the side that begins."""

_FACES = {face.text for face in COIN}

TO_BE_TOSSED = "coin"

_LINE = re.compile(r"([0-9]{1,3})-([0-9]{1,3}) (.+)")


class RallyState(State, Protocol):
    """A state of one rally. ``str`` must not be ``"coin"``, and ``summary`` has 100 characters at most."""

    @property
    def first(self) -> Side:
        """Return the side that began."""

    def play(self, text: str) -> RallyState:
        """Return the state after a move or a roll, like ``State.play``."""

    def replay(self, text: str) -> RallyState:
        """Return the state after what was played here, like ``State.replay``."""


class RallyGame(Protocol):
    """A game that is played for one point, with its options fixed.

    Somebody always gets the point, and no move is written like a face of the coin.
    """

    @property
    def max_turn_actions(self) -> int:
        """Return the most actions that a side can play running."""

    def start(self, first: Side) -> RallyState:
        """Return the first position when this side begins."""

    def read(self, text: str) -> RallyState:
        """Return the state whose ``str`` is ``text``; raises ``InvalidNotation``."""

    def resume(self, text: str, summary: str) -> RallyState | None:
        """Return the state whose ``str`` and ``summary`` these are, ``None`` if no summary is written so any more."""

    def read_move(self, text: str) -> str:
        """Return ``text`` if it is written like a move of this game; raises ``InvalidNotation``."""


class Opener(StrEnum):
    """The ways to decide who begins a rally."""

    YELLOW = "yellow"
    COIN = "coin"
    SCORER = "scorer"
    CONCEDER = "conceder"

    def after(self, scorer: Side) -> Side | None:
        """Return who begins once ``scorer`` has got a point, ``None`` if a coin decides."""
        return {
            Opener.YELLOW: Side.YELLOW,
            Opener.COIN: None,
            Opener.SCORER: scorer,
            Opener.CONCEDER: scorer.opponent,
        }[self]


@dataclass(frozen=True, slots=True)
class Series:
    """A match of rallies, as a ``Game``.

    ``worth`` are the match points of the winner and the loser by the loser's score, and so as many as the points that
    win the match. ``first`` and ``later`` say who begins the first rally and every other one, and ``rule`` is the id of
    the rule that says all this. Raises ``ValueError`` when ``worth`` is empty, or ``first`` asks for a scorer, whom
    there is not yet.
    """

    key: str
    family: str
    title: str
    rally: RallyGame
    worth: tuple[tuple[int, int], ...]
    first: Opener
    later: Opener
    rule: str
    interchange: tuple[Interchange, ...] = ()

    def __post_init__(self) -> None:
        if not self.worth:
            raise ValueError("a match needs a point at least")
        if self.first in (Opener.SCORER, Opener.CONCEDER):
            raise ValueError("nobody has scored before the first rally")

    @property
    def has_draws(self) -> bool:
        """Return ``False``: a series goes on until a side has won it."""
        return False

    @property
    def decision_seconds(self) -> None:
        """Return ``None``: no series has live play by the decision."""

    @property
    def wins(self) -> int:
        """Return the number of points that win the match."""
        return len(self.worth)

    @property
    def max_turn_actions(self) -> int:
        """Return the most actions that a side can play running in a rally."""
        return self.rally.max_turn_actions

    @property
    def chance_device(self) -> ChanceDevice:
        """Return the coin, if one decides who begins. No rally has chance of its own."""
        return ChanceDevice.COIN if Opener.COIN in (self.first, self.later) else ChanceDevice.NONE

    def start(self) -> SeriesState:
        """Return the match before the first rally."""
        rally = self.rally.start(Side.YELLOW) if self.first is Opener.YELLOW else None
        return SeriesState(self, BySide(0, 0), rally)

    def read(self, text: str) -> SeriesState:
        """Return the state that the line describes: the score, and the rally or ``coin``.

        Raises ``InvalidNotation`` when it is no such line, or when no match can come to it.
        """
        found = _LINE.fullmatch(text)
        if not found:
            raise InvalidNotation("series_position_form", text=text)
        score = BySide(int(found[1]), int(found[2]))
        rally = None if found[3] == TO_BE_TOSSED else self.rally.read(found[3])
        state = SeriesState(self, score, rally)
        if not self._can_come_to(score, rally):
            raise InvalidNotation("series_score_impossible", text=text)
        if str(state) != text:
            raise InvalidNotation("position_written_otherwise", text=text, written=str(state))
        return state

    def resume(self, text: str, summary: str) -> SeriesState:
        """Return what ``read`` returns, without following the rally if the summary was made of this very text."""
        known, _, checksum = summary.rpartition(" ")
        score, _, line = text.partition(" ")
        rally = self.rally.resume(line, known) if checksum == _checksum(text, known) else None
        return SeriesState(self, BySide(*map(int, score.split("-"))), rally) if rally else self.read(text)

    def read_move(self, text: str) -> str:
        """Return ``text`` if it is a face of the coin or written like a move of the rally.

        Raises ``InvalidNotation``.
        """
        return text if self._reads_as_coin(text) else self.rally.read_move(text)

    def match_points(self, outcome: Outcome) -> BySide[int]:
        """Return what the score is worth, as much as a win to nil for other endings, or 2-2 when nobody won."""
        if outcome.winner is None:
            return BySide(2, 2)
        lost = outcome.score[outcome.winner.opponent] if outcome.ending is Ending.NORMAL_TIME else 0
        points = self.worth[lost]
        return BySide(*points) if outcome.winner is Side.YELLOW else BySide(*reversed(points))

    def begun_after(self, scorer: Side) -> RallyState | None:
        """Return the rally that follows a point of ``scorer``, ``None`` while a coin is to decide who begins it."""
        first = self.later.after(scorer)
        return self.rally.start(first) if first else None

    def _reads_as_coin(self, text: str) -> bool:
        return Opener.COIN in (self.first, self.later) and text in _FACES

    def _can_come_to(self, score: Score, rally: RallyState | None) -> bool:
        """Return whether score and rally go together: a winner with a won rally, a rally with who may begin it."""
        before = score
        if rally and rally.outcome and (winner := rally.outcome.winner):
            if score[winner] != self.wins:
                return False
            before = score.with_side(winner, self.wins - 1)
        if max(before) >= self.wins:
            return False
        scorers = [side for side in Side if before[side]]
        openers = {self.later.after(side) for side in scorers} if scorers else {self._first_side}
        return None in openers if rally is None else None in openers or rally.first in openers

    @property
    def _first_side(self) -> Side | None:
        return Side.YELLOW if self.first is Opener.YELLOW else None


@dataclass(frozen=True, slots=True)
class SeriesState:
    """A position of a match: a ``State`` of the protocol. ``rally`` is ``None`` while a coin is to be tossed."""

    series: Series = field(hash=False)
    score: Score
    rally: RallyState | None

    def __str__(self) -> str:
        return f"{self.score.yellow}-{self.score.red} {self.rally or TO_BE_TOSSED}"

    @property
    def summary(self) -> str:
        """Return the rally's summary, with a checksum of it and the text; nothing before the coin."""
        known = self.rally.summary if self.rally else ""
        return known and f"{known} {_checksum(str(self), known)}"

    @property
    def turn(self) -> Turn:
        """Return the actor of the next ply: a side, chance, or nobody."""
        return self.rally.turn if self.rally else Nature.CHANCE

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome once a side has the points that win, ``None`` while the match goes on."""
        wins = self.series.wins
        if wins not in (self.score.yellow, self.score.red):
            return None
        return Outcome(Side.YELLOW if self.score.yellow == wins else Side.RED, Ending.NORMAL_TIME, self.score)

    @property
    def stage(self) -> Message:
        """Return the point that is being played and what it has come to, such as ``"point 2, turn 7"``."""
        if self.outcome:
            return Message("stage_match_over")
        stage = self.rally.stage if self.rally else Message("stage_coin")
        return Message("stage_point", number=self.score.yellow + self.score.red + 1, stage=stage)

    @property
    def task(self) -> Message:
        """Return the task of the side to act, in one sentence."""
        if self.rally is None:
            return Message("task_coin")
        return Message("task_match_over") if self.outcome else self.rally.task

    def chance(self) -> tuple[Roll, ...]:
        """Return the faces of the coin while it is to be tossed, else what chance has in the rally."""
        return self.rally.chance() if self.rally else COIN

    def legal_moves(self) -> Sequence[str]:
        """Return the legal moves of the rally."""
        return self.rally.legal_moves() if self.rally else ()

    def iter_legal_moves(self) -> Iterator[str]:
        """Yield the legal moves of the rally."""
        return self.rally.iter_legal_moves() if self.rally else iter(())

    def play(self, text: str) -> SeriesState:
        """Return the state after the coin, or after what is a move in the rally."""
        self.series.read_move(text)
        if self.rally is None:
            return self._toss(text)
        if text in _FACES:
            raise IllegalMove(self.series.rule, "coin_not_now")
        if self.outcome:
            raise IllegalMove(self.series.rule, "match_over")
        return self._after(self.rally.play(text))

    def replay(self, text: str) -> SeriesState:
        """Return the state after the coin, or after what was played in the rally."""
        return self._after(self.rally.replay(text)) if self.rally else self._toss(text)

    def _after(self, rally: RallyState) -> SeriesState:
        scorer = rally.outcome and rally.outcome.winner
        if not scorer:
            return SeriesState(self.series, self.score, rally)
        score = self.score.with_side(scorer, self.score[scorer] + 1)
        over = score[scorer] == self.series.wins
        return SeriesState(self.series, score, rally if over else self.series.begun_after(scorer))

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        """Return what may be clicked in the rally."""
        if self.rally:
            return self.rally.steps(prefix)
        if prefix:
            raise InvalidNotation("no_move_begins_so", prefix=shorten(prefix))
        return ()

    def placement_plan(self) -> PlacementPlan | None:
        """Return how figures are put on the board in the rally, if they are."""
        return self.rally.placement_plan() if self.rally else None

    @property
    def decision(self) -> str:
        """Return the kind of the decision in the rally."""
        return self.rally.decision if self.rally else ""

    def rehearsals(self, side: Side) -> Mapping[str, State]:
        """Return nothing: a decision that may come in one rally can be answered when it has begun."""
        return {}

    def route(self, move: str) -> Route:
        """Return one way to play a legal move; an empty one for the coin."""
        self.play(move)
        return self.rally.route(move) if self.rally else Route()

    def picture(self) -> Picture:
        """Return what the board looks like; before the coin, as it does before the first move."""
        return (self.rally or self.series.rally.start(Side.YELLOW)).picture()

    def picture_after(self, text: str) -> Picture:
        """Return what the board looks like after the coin, or after a move of the rally that it may have ended."""
        after = self.play(text)
        return self.rally.picture_after(text) if self.rally else after.picture()

    def in_words(self) -> tuple[Message, ...]:
        """Return what is on the board, in sentences; nothing before the coin."""
        return self.rally.in_words() if self.rally else ()

    def describe(self, text: str) -> Message:
        """Return what a move does in the rally, or who begins by the coin."""
        self.play(text)
        return self.rally.describe(text) if self.rally else Message("coin_falls", side=text)

    def _toss(self, text: str) -> SeriesState:
        if text not in _FACES:
            raise IllegalMove(self.series.rule, "coin_first")
        return SeriesState(self.series, self.score, self.series.rally.start(Side(text)))


def _checksum(text: str, summary: str) -> str:
    return f"{crc32(f'{summary} {text}'.encode()):08x}"
