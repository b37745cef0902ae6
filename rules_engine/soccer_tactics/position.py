"""A Soccer Tactics position as data: where everything is, what the clock says, what comes next, its line of text."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules_engine.soccer_tactics.board import BOARD, HALVES, LONG_SHOTS, NAMES, PENALTY_AREAS, rows_from_goal_line
from rules_engine.soccer_tactics.limits import places
from rules_engine.soccer_tactics.presets import Preset
from rules_engine.soccer_tactics.team import SENT_OFF, WAITING, Role, Squares, find_kicker, role_of
from rules_engine.values import BySide, Ending, Score, Side

SECOND_HALF: Final = 2
OVER_TIME: Final = 4
"""The number of the second period of over time; that of the first is 3."""
SHOOT_OUT: Final = 5

FIVE_EACH: Final = 5
"""The number of penalties of a shoot-out that each side has at first (T18)."""

CORNER_STEPS: Final = 8
"""The steps of a corner (T16): O names the kicker (0), D places the keeper (1), D, O, D, O, D, O put a pawn each."""
CORNER_KEEPER: Final = 1
CORNER_STEPS_OF_D: Final = (1, 2, 4, 6)

_SQUARE_TEXTS = {**NAMES, WAITING: "-", SENT_OFF: "x"}


class Phase(StrEnum):
    """The next step in a match."""

    TOSS = "toss"
    KICK_OFF = "kick-off"
    MOVE = "move"
    BALL = "ball"
    FREE = "free"
    ATTEMPT = "attempt"
    BATTLE = "battle"
    SHOT = "shot"
    PENALTY = "penalty"
    GOAL_KICK = "goal-kick"
    CORNER = "corner"
    SHOOT_OUT = "shoot-out"
    OVER = "over"


class Restart(StrEnum):
    """The restarts that begin with a ball that is played."""

    KICK_OFF = "kick-off"
    FREE_KICK = "free-kick"
    GOAL_KICK = "goal-kick"
    CORNER = "corner"


@dataclass(frozen=True, slots=True)
class Cards:
    """The yellow cards of a team (T14): the shirts that have one, and whether its defenders' tally has begun."""

    shirts: frozenset[int] = frozenset()
    defenders: bool = False

    def __str__(self) -> str:
        return ",".join(["d"] * self.defenders + [str(shirt) for shirt in sorted(self.shirts)]) or "-"


@dataclass(frozen=True, slots=True)
class Position:
    """One position. ``str`` gives its line of text, which ``SoccerTactics.read`` reads back.

    ``half`` counts the periods, over time being 3 and 4 and the shoot-out 5; ``minute`` how many minutes of it have
    begun. ``side`` is O: it has the ball or the restart; in a shoot-out, the side that takes the next penalty.
    ``rolling``: a roll comes now; ``number`` is what was rolled and is to be used, in the toss Yellow's die.

    ``squares`` are by shirt; ``keepers`` are shirts. ``restart`` is what the ball is played by, or lies free after,
    untouched by another pawn than ``kicker``, whose shirt it is. ``count`` counts what the phase does: direct passes
    in a row before the ball is played again, rounds of a free ball, steps of a corner. ``placed`` are the shirts put
    on a square at a corner. ``opener`` began the match. ``penalties`` are the goals of the shoot-out, ``taken`` its
    penalties.
    """

    preset: Preset
    phase: Phase
    half: int
    minute: int
    side: Side | None
    rolling: bool
    number: int | None
    squares: BySide[Squares]
    keepers: BySide[int]
    cards: BySide[Cards]
    ball: int | None
    restart: Restart | None
    kicker: int | None
    count: int
    placed: BySide[frozenset[int]]
    score: Score
    opener: Side | None
    penalties: Score
    taken: int

    def __str__(self) -> str:
        number = "" if self.number is None else str(self.number)
        return " ".join(
            (
                self.phase,
                f"{self.half}.{self.minute}",
                self.side or "-",
                f"{number}?" if self.rolling else number or "-",
                ",".join([_SQUARE_TEXTS[square] for square in self.squares.yellow]),
                ",".join([_SQUARE_TEXTS[square] for square in self.squares.red]),
                f"{self.keepers.yellow}-{self.keepers.red}",
                f"{self.cards.yellow}/{self.cards.red}",
                "-" if self.ball is None else NAMES[self.ball],
                self.restart or "-",
                "-" if self.kicker is None else str(self.kicker),
                str(self.count),
                f"{_write_shirts(self.placed.yellow)}/{_write_shirts(self.placed.red)}",
                f"{self.score.yellow}-{self.score.red}",
                self.opener or "-",
                f"{self.penalties.yellow}-{self.penalties.red}/{self.taken}",
            )
        )

    @property
    def minutes(self) -> int:
        """Return the length of the present half or period of over time, in minutes (T18)."""
        return self.preset.minutes if self.half <= SECOND_HALF else self.preset.extra_minutes

    @property
    def ending(self) -> Ending | None:
        """Return the way in which the match has ended (T18), ``None`` while it goes on."""
        if self.phase is not Phase.OVER:
            return None
        return {SECOND_HALF: Ending.NORMAL_TIME, OVER_TIME: Ending.OVER_TIME}.get(self.half, Ending.PENALTIES)

    @property
    def attackers(self) -> Side:
        """Return O, where there is one."""
        if self.side is None:
            raise AssertionError(f"nobody has the ball in {self}")
        return self.side

    @property
    def defenders(self) -> Side:
        """Return D, where there is one."""
        return self.attackers.opponent

    @property
    def acting(self) -> Side | None:
        """Return the side that moves, places, or has the roll; ``None`` where nobody does."""
        if self.side is None:
            return None
        if self.phase is Phase.KICK_OFF:
            return self.next_placed[0]
        defends = self.phase is Phase.ATTEMPT or (self.phase is Phase.CORNER and self.count in CORNER_STEPS_OF_D)
        return self.side.opponent if defends else self.side

    @property
    def next_placed(self) -> tuple[Side, int]:
        """Return whose pawn is placed next at a kick-off, and its shirt (T13)."""
        for side in (self.attackers, self.defenders):
            squares, keeper = self.squares[side], self.keepers[side]
            waiting = [shirt for shirt, square in enumerate(squares, 1) if square == WAITING]
            if not waiting:
                continue
            if side is self.side and self.ball is None:
                return side, find_kicker(squares, keeper)
            return side, next((shirt for shirt in waiting if shirt != keeper), keeper)
        raise AssertionError(f"nobody is to be placed in {self}")

    @property
    def is_waiting(self) -> bool:
        """Return whether pawns are to be placed for a kick-off."""
        return WAITING in self.squares.yellow or WAITING in self.squares.red

    @property
    def ball_square(self) -> int:
        """Return the square of the ball, where it is on the board."""
        if self.ball is None:
            raise AssertionError(f"no ball in {self}")
        return self.ball

    @property
    def pips(self) -> int:
        """Return the number to be used now, 0 where there is none."""
        return self.number or 0

    @property
    def holder(self) -> int | None:
        """Return the shirt of O's pawn on the ball's square, ``None`` if the ball is free."""
        return self.shirt_on(self.attackers, self.ball_square)

    @property
    def attacked(self) -> int:
        """Return the squares of the penalty area that O attacks."""
        return PENALTY_AREAS[self.defenders]

    @property
    def shooting(self) -> int:
        """Return the squares on which O shoots when it receives a direct pass (T9)."""
        return PENALTY_AREAS[self.defenders] | LONG_SHOTS[self.defenders]

    def shirt_on(self, side: Side, square: int) -> int | None:
        """Return the shirt of a side's pawn on a square, ``None`` if there is none."""
        squares = self.squares[side]
        return squares.index(square) + 1 if square in squares else None

    def square_of(self, side: Side, shirt: int) -> int:
        """Return where a pawn stands, or ``WAITING`` or ``SENT_OFF``."""
        return self.squares[side][shirt - 1]

    def role(self, side: Side, shirt: int) -> Role:
        """Return what a pawn is."""
        return role_of(shirt, self.keepers[side])

    def field_players(self, side: Side) -> list[int]:
        """Return the shirts of a side's pawns on the board, without the keeper."""
        keeper = self.keepers[side]
        return [shirt for shirt, square in enumerate(self.squares[side], 1) if square >= 0 and shirt != keeper]

    def team(self, side: Side) -> int:
        """Return the set of the squares of a side's pawns."""
        return _set_of(self.squares[side])

    def places(self, side: Side, shirt: int, *without: int) -> int:
        """Return where a pawn may stand as far as its own team goes (T3, T5), its own square included.

        ``without`` are squares of its team that are going to be left as well.
        """
        squares = self.squares[side]
        keeper = squares[self.keepers[side] - 1]
        others = _set_of(squares)
        for square in (squares[shirt - 1], *without):
            if square >= 0:
                others &= ~(1 << square)
        field_players = others & ~(1 << keeper) if keeper >= 0 else others
        return places(side, self.role(side, shirt), others, field_players)

    def free_places(self, side: Side, shirt: int) -> int:
        """Return the free squares on which a pawn may be put: no pawn stands there, T3 and T5 hold."""
        taken = self.team(Side.YELLOW) | self.team(Side.RED)
        return self.places(side, shirt) & BOARD & ~taken

    def with_pawn(self, side: Side, shirt: int, square: int) -> BySide[Squares]:
        """Return all squares after a pawn has been put on another one."""
        squares = self.squares[side]
        return self.squares.with_side(side, (*squares[: shirt - 1], square, *squares[shirt:]))

    def is_offside(self, shirt: int) -> bool:
        """Return whether a pawn of O is off-side where it stands (T17), had it the ball."""
        square = self.square_of(self.attackers, shirt)
        line = self.defenders
        if shirt == self.keepers[self.attackers] or not HALVES[line] >> square & 1:
            return False
        return all(
            rows_from_goal_line(square, line) < rows_from_goal_line(self.square_of(line, other), line)
            for other in self.field_players(line)
        )


def _set_of(squares: Squares) -> int:
    """Return squares as a set, without the pawns that are not on the board."""
    found = 0
    for square in squares:
        if square >= 0:
            found |= 1 << square
    return found


def _write_shirts(shirts: frozenset[int]) -> str:
    return ",".join(str(shirt) for shirt in sorted(shirts)) or "-"
