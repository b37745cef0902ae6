"""A StreetSoccer position as data: where everything is, what the clock says, who is next, and its line of text."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from rules_engine.streetsoccer.pitch import CENTRE_CIRCLE, KEEPER_SPACES, NAMES
from rules_engine.streetsoccer.presets import Preset
from rules_engine.streetsoccer.turn import Situation, spaces_of
from rules_engine.values import BySide, Ending, Score, Side

GOALIE = 0
"""The goalie's index among a side's players."""

RESTART_NUMBERS = range(2, 7)
"""A restart's die is rolled until it shows one of these (S18)."""

Players = BySide[tuple[int, ...]]


class Phase(StrEnum):
    """The phases of a match."""

    SET_UP = "set-up"
    KICK_OFF = "kick-off"
    PLAY = "play"
    RESTART = "restart"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Position:
    """One position. ``str`` gives its line of text, which ``StreetSoccer.read`` reads back.

    ``turns`` counts the turns taken (S2). ``side`` is to act, or its dice are to come; ``None`` where the dice belong
    to both, and at the end. ``rolling``: a die is to be rolled now; ``first_die`` is Yellow's of the two for the
    kick-off (S5); ``number`` what has been rolled. ``players`` are spaces, the goalie first, then shirts 2 to 5.
    """

    preset: Preset
    phase: Phase
    turns: int
    side: Side | None
    rolling: bool
    first_die: int | None
    number: int | None
    players: Players
    ball: int | None
    score: Score
    last_scorer: Side | None

    def __str__(self) -> str:
        if self.rolling:
            dice = "?" if self.first_die is None else f"{self.first_die}?"
        else:
            dice = "-" if self.number is None else str(self.number)
        return " ".join(
            (
                self.phase,
                f"{self.minute}.{self.turns % 2 + 1}",
                self.side or "-",
                dice,
                ",".join([NAMES[player] for player in self.players.yellow]) or "-",
                ",".join([NAMES[player] for player in self.players.red]) or "-",
                "-" if self.ball is None else NAMES[self.ball],
                f"{self.score.yellow}-{self.score.red}",
                self.last_scorer or "-",
            )
        )

    @property
    def minute(self) -> int:
        """Return the minute being played, from 1 (S2)."""
        return self.turns // 2 + 1

    @property
    def ending(self) -> Ending | None:
        """Return the way in which the match has ended by S2 and S3, ``None`` while it goes on."""
        if self.turns < 2 * self.preset.minutes:
            return None
        if self.score.yellow != self.score.red:
            in_time = self.turns == 2 * self.preset.minutes
            return Ending.NORMAL_TIME if in_time else Ending.SUDDEN_DEATH
        if self.turns < 2 * (self.preset.minutes + self.preset.extra_minutes):
            return None
        return Ending.LAST_GOAL if self.score.yellow else Ending.GOALLESS

    @property
    def acting(self) -> Side:
        """Return the side to act, where there is one."""
        if self.side is None:
            raise AssertionError(f"no side is to act in {self}")
        return self.side

    @property
    def pips(self) -> int:
        """Return the number to be used now, 0 where there is none."""
        return self.number or 0

    @property
    def own(self) -> tuple[int, ...]:
        """Return the players of the side to act."""
        return self.players[self.acting]

    @property
    def opponents(self) -> tuple[int, ...]:
        """Return the players of the other side."""
        return self.players[self.acting.opponent]

    @property
    def situation(self) -> Situation:
        """Return the position as sets of spaces for the side to act; a ball that is not in play touches nothing."""
        return Situation(self.acting, self.own, self.opponents, self.ball or 0, self.preset.enclosure)

    @property
    def keeper_choices(self) -> list[int]:
        """Return the spaces where the goalie can be put after a goal (S18)."""
        free = KEEPER_SPACES[self.acting] & ~(spaces_of(self.own[1:]) | spaces_of(self.opponents))
        return [number for number in NAMES if free >> number & 1]

    @property
    def kickers(self) -> int:
        """Return the players who may take the kick-off (S6) or the restart kick (S18), as a set."""
        if self.phase is Phase.KICK_OFF:
            return spaces_of(self.own) & CENTRE_CIRCLE[self.acting]
        return 1 << self.own[GOALIE]

    def with_keeper(self, space: int) -> Self:
        """Return the position with the goalie and the ball put on this keeper space (S18)."""
        players = self.players.with_side(self.acting, (space, *self.own[1:]))
        return replace(self, players=players, ball=space, rolling=self.number is None)

    def with_player(self, start: int, end: int) -> Players:
        """Return all players after one of the side to act has gone from one space to another."""
        return self.players.with_side(self.acting, tuple(end if player == start else player for player in self.own))
