"""A Soccer Tactics position in play: the state after every move and roll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from rules_engine.dice import DIE, FACES
from rules_engine.messages import Message
from rules_engine.picture import Picture, Route
from rules_engine.protocol import PlacementPlan, Roll, Step
from rules_engine.soccer_tactics import clock, consequences, description, refusals, restarts
from rules_engine.soccer_tactics.legal_moves import is_legal, iter_legal_moves, legal_moves
from rules_engine.soccer_tactics.notation import (
    CORNER,
    GOAL,
    GOAL_KICK,
    NO_GOAL,
    Action,
    Dribbled,
    Moved,
    Named,
    Placed,
    Played,
    Rolled,
    RollRequested,
    read_action,
)
from rules_engine.soccer_tactics.placement_plan import plan_kick_off
from rules_engine.soccer_tactics.position import Phase, Position
from rules_engine.soccer_tactics.route import find_route
from rules_engine.soccer_tactics.scene import draw
from rules_engine.soccer_tactics.steps import next_steps
from rules_engine.values import BySide, Nature, Outcome, Side, Turn

_SIDES: Final = BySide(Side.YELLOW, Side.RED)
TWO_DICE: Final = _SIDES.map(
    lambda side: tuple(
        Roll(str(total), Fraction(6 - abs(7 - total), 36), "two-dice", (side,)) for total in range(2, 13)
    )
)
BATTLES: Final = _SIDES.map(
    lambda side: tuple(
        Roll(f"{own}-{other}", Fraction(1, 36), "battle", (side, side.opponent), stands_alone=True)
        for own in FACES
        for other in FACES
    )
)
SHOTS: Final = _SIDES.map(
    lambda side: (
        Roll(GOAL, Fraction(1, 2), "shot", (side,), stands_alone=True),
        Roll(CORNER, Fraction(1, 4), "shot", (side,), stands_alone=True),
        Roll(GOAL_KICK, Fraction(1, 4), "shot", (side,), stands_alone=True),
    )
)
PENALTIES: Final = _SIDES.map(
    lambda side: (
        Roll(GOAL, Fraction(1, 2), "penalty", (side,), stands_alone=True),
        Roll(NO_GOAL, Fraction(1, 2), "penalty", (side,), stands_alone=True),
    )
)
"""The rolls by the side that has the ball, shoots, or takes the penalty."""


@dataclass(frozen=True, slots=True)
class SoccerTacticsState(Position):
    """A position that can be played on: the ``State`` of the protocol."""

    __str__ = Position.__str__

    @property
    def summary(self) -> str:
        """Return an empty text: every position has a short one."""
        return ""

    @property
    def turn(self) -> Turn:
        """Return the actor of the next ply: a side, chance, or nobody."""
        return Nature.CHANCE if self.rolling else self.acting

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome by T18, ``None`` while the match goes on."""
        if self.ending is None:
            return None
        decisive = self.score if self.score.yellow != self.score.red else self.penalties
        winner = Side.YELLOW if decisive.yellow > decisive.red else Side.RED
        return Outcome(winner, self.ending, self.score)

    @property
    def stage(self) -> Message:
        """Return the stage of the match, such as ``"second half, minute 17"``."""
        return description.stage(self)

    @property
    def task(self) -> Message:
        """Return the task of the side to act, in one sentence."""
        return description.task(self)

    def chance(self) -> tuple[Roll, ...]:
        """Return the rolls that can come now: of one die, two dice, opposed dice, a shot or a penalty."""
        if not self.rolling:
            return ()
        match self.phase:
            case Phase.BATTLE:
                return BATTLES[self.attackers]
            case Phase.SHOT:
                return SHOTS[self.attackers]
            case Phase.PENALTY | Phase.SHOOT_OUT:
                return PENALTIES[self.attackers]
            case Phase.BALL if self.holder == self.keepers[self.attackers]:
                return TWO_DICE[self.attackers]
        return DIE[self.acting or (Side.YELLOW if self.number is None else Side.RED)]

    def legal_moves(self) -> list[str]:
        """Return all legal actions: pawns by shirt, squares by row, passing last."""
        return legal_moves(self)

    def iter_legal_moves(self) -> Iterator[str]:
        """Yield all legal actions, in the same order."""
        return iter_legal_moves(self)

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        """Return what may be clicked next: pawns, then squares; a dribble begins with the holder."""
        return next_steps(self, prefix)

    def placement_plan(self) -> PlacementPlan | None:
        """Return how the side to act can place its pawns for a kick-off, ``None`` in any other phase."""
        return plan_kick_off(self) if self.phase is Phase.KICK_OFF else None

    @property
    def decision(self) -> str:
        """Return where the keeper is placed (T15), or who takes a corner and where the keeper stands there (T16)."""
        return "" if self.rolling else restarts.decision_of(self)

    def rehearsals(self, side: Side) -> Mapping[str, SoccerTacticsState]:
        """Return the restarts at which a side decides, as they would be were there one now."""
        if self.phase in (Phase.TOSS, Phase.KICK_OFF, Phase.SHOOT_OUT, Phase.OVER):
            return {}
        return restarts.rehearse(self, side)

    def route(self, move: str) -> Route:
        """Return one way to play a legal move."""
        self.play(move)
        return find_route(self, read_action(move))

    def picture(self) -> Picture:
        """Return what the position looks like."""
        return draw(self)

    def picture_after(self, text: str) -> Picture:
        """Return what the position looks like after a move or roll; after a goal, as it was before it."""
        after = self.play(text)
        return after.picture() if after.score == self.score else self.picture()

    def in_words(self) -> tuple[Message, ...]:
        """Return where everybody stands, the ball, and the cards."""
        return description.describe_board(self)

    def describe(self, text: str) -> Message:
        """Return what a move or a roll does."""
        return description.describe(self, read_action(text), self.play(text))

    def play(self, text: str) -> SoccerTacticsState:
        """Return the state after a roll or a move."""
        action = read_action(text)
        if isinstance(action, Rolled):
            if all(roll.text != action.text for roll in self.chance()):
                raise refusals.refuse(self, action)
            return self._roll(action.text)
        if not is_legal(self, action):
            raise refusals.refuse(self, action)
        return self.carry_out(action)

    def replay(self, text: str) -> SoccerTacticsState:
        """Return the state after a roll or a move that was played here."""
        action = read_action(text)
        return self._roll(action.text) if isinstance(action, Rolled) else self.carry_out(action)

    def carry_out(self, action: Action) -> SoccerTacticsState:
        """Return the state after an action that is known to be legal: it is not checked again."""
        match action:
            case Moved(start=start, end=end):
                return consequences.move_pawn(self, start, end)
            case Played(target=target):
                return consequences.play_ball(self, target)
            case Dribbled(target=target):
                return consequences.dribble(self, target)
            case Placed(square=square) if self.phase is Phase.KICK_OFF:
                return restarts.place_for_kick_off(self, square)
            case Placed(square=square):
                return restarts.put_keeper(self, square)
            case Named(shirt=shirt):
                return restarts.name_corner_kicker(self, shirt)
            case RollRequested():
                return replace(self, rolling=True)
        return consequences.pass_by(self)

    def _roll(self, text: str) -> SoccerTacticsState:
        match self.phase:
            case Phase.TOSS:
                return self._toss(int(text))
            case Phase.BATTLE:
                return consequences.fight(self, int(text[0]), int(text[2]))
            case Phase.SHOT | Phase.PENALTY if text == GOAL:
                return consequences.score_goal(self)
            case Phase.SHOT if text == CORNER:
                return restarts.begin_corner(self)
            case Phase.SHOT | Phase.PENALTY:
                return restarts.begin_goal_kick(self, self.defenders)
            case Phase.SHOOT_OUT:
                return clock.take_penalty(self, int(text == GOAL))
        return replace(self, rolling=False, number=int(text))

    def _toss(self, face: int) -> SoccerTacticsState:
        if self.number is None:
            return replace(self, number=face)
        if self.number == face:
            return replace(self, number=None)
        opener = Side.YELLOW if self.number < face else Side.RED
        return clock.begin_kick_off(replace(self, opener=opener), opener)
