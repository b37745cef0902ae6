"""A StreetSoccer position in play: the state after every move and roll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rules_engine.dice import DIE
from rules_engine.messages import Message
from rules_engine.picture import Picture, Route
from rules_engine.protocol import PlacementPlan, Roll, Step
from rules_engine.streetsoccer import description, refusals
from rules_engine.streetsoccer.legal_moves import is_legal, iter_legal_moves, legal_moves
from rules_engine.streetsoccer.notation import Action, Kicked, Placed, Rolled, Walked, read_action
from rules_engine.streetsoccer.placement_plan import plan_set_up
from rules_engine.streetsoccer.position import RESTART_NUMBERS, Phase, Players, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.route import find_route
from rules_engine.streetsoccer.scene import draw
from rules_engine.streetsoccer.steps import next_steps
from rules_engine.streetsoccer.turn import Situation
from rules_engine.values import Ending, Nature, Outcome, Side, Turn


@dataclass(frozen=True, slots=True)
class StreetSoccerState(Position):
    """A position that can be played on: the ``State`` of the protocol."""

    __str__ = Position.__str__

    @property
    def summary(self) -> str:
        """Return an empty text: every position has a short one."""
        return ""

    @property
    def turn(self) -> Turn:
        """Return the actor of the next ply: a side, chance, or nobody."""
        return Nature.CHANCE if self.rolling else self.side

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome by S2 and S3, ``None`` while the match goes on."""
        if self.ending is None:
            return None
        if self.ending in (Ending.LAST_GOAL, Ending.GOALLESS):
            return Outcome(self.last_scorer, self.ending, self.score)
        winner = Side.YELLOW if self.score.yellow > self.score.red else Side.RED
        return Outcome(winner, self.ending, self.score)

    @property
    def stage(self) -> Message:
        """Return the stage of the match, such as ``"minute 17"``."""
        return description.stage(self)

    @property
    def task(self) -> Message:
        """Return the task of the side to act, in one sentence."""
        return description.task(self)

    def chance(self) -> tuple[Roll, ...]:
        """Return the faces of the die while one is to be rolled; Yellow's is the first of the kick-off's two (S5)."""
        if not self.rolling:
            return ()
        return DIE[self.side or (Side.YELLOW if self.first_die is None else Side.RED)]

    def legal_moves(self) -> list[str]:
        """Return all legal actions: by shirt, each player's walks before the kicks, by space, the goal last."""
        return legal_moves(self)

    def iter_legal_moves(self) -> Iterator[str]:
        """Yield all legal actions, in the same order."""
        return iter_legal_moves(self)

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        """Return what may be clicked next: players, then spaces, then where the ball may end."""
        return next_steps(self, prefix)

    def placement_plan(self) -> PlacementPlan | None:
        """Return how the side to act can complete its set-up, ``None`` in any other phase."""
        return plan_set_up(self) if self.phase is Phase.SET_UP and not self.rolling else None

    @property
    def decision(self) -> str:
        """Return the phase where a set-up begins (S4), or a restart whose die is not rolled yet (S18)."""
        if self.rolling or self.side is None:
            return ""
        sets_up = self.phase is Phase.SET_UP and self.own == self.preset.standing_spaces[self.side]
        restarts = self.phase is Phase.RESTART and self.ball is None and self.number is None
        return self.phase.value if sets_up or restarts else ""

    def rehearsals(self, side: Side) -> Mapping[str, StreetSoccerState]:
        """Return the set-up of a side that has none, then the restart, unless its die comes first."""
        to_come = replace(self, side=side)
        if self.phase is Phase.SET_UP:
            if self.side is side:
                return {}
        elif self.phase is Phase.OVER or self.preset.die_first:
            return {}
        else:
            to_come = replace(to_come, phase=Phase.RESTART, rolling=False, first_die=None, number=None, ball=None)
        return {to_come.decision: to_come} if to_come.decision else {}

    def route(self, move: str) -> Route:
        """Return one way to play a legal move."""
        self.play(move)
        return find_route(self, read_action(move))

    def picture(self) -> Picture:
        """Return what the position looks like."""
        return draw(self)

    def picture_after(self, text: str) -> Picture:
        """Return what the position looks like after a move or roll."""
        return self.play(text).picture()

    def in_words(self) -> tuple[Message, ...]:
        """Return where everybody stands, and the ball."""
        return description.describe_board(self)

    def describe(self, text: str) -> Message:
        """Return what a move or a roll does."""
        action, after = read_action(text), self.play(text)
        if isinstance(action, Rolled):
            return description.describe_roll(self, action)
        return description.describe_move(self, action, after)

    def play(self, text: str) -> StreetSoccerState:
        """Return the state after a roll, a move, or several joined placements."""
        action = read_action(text)
        if isinstance(action, Rolled):
            return self._roll(action)
        if self.rolling or self.side is None:
            raise refusals.refuse(self, action)
        if isinstance(action, Placed):
            return self._place(action)
        if not is_legal(self, action, text):
            raise refusals.refuse(self, action)
        return self.carry_out(action)

    def replay(self, text: str) -> StreetSoccerState:
        """Return the state after a roll, a move, or joined placements that were played here."""
        action = read_action(text)
        if isinstance(action, Rolled):
            return self._roll(action)
        if not isinstance(action, Placed):
            return self.carry_out(action)
        state = self
        for space in action.spaces:
            state = state._place_one(space)
        return state

    def carry_out(self, action: Action) -> StreetSoccerState:
        """Return the state after a turn or a kick that is known to be legal: it is not checked again."""
        match action:
            case Kicked(start=None, end=None, target=target):
                return self._end_turn(self.players, target)
            case Kicked(start=None, end=int(space), target=target):
                return self._end_turn(self.with_keeper(space).players, target)
            case Kicked(start=int(start), target=target):
                touched = Situation(self.acting, self.own, self.opponents, self.ball or 0, enclosure=False)
                landing = touched.landing(self.own.index(start), target)
                return self._end_turn(self.with_player(start, landing), target)
            case Walked(start=start, end=end):
                return self._end_turn(self.with_player(start, end), self.ball)
        return self._end_turn(self.players, self.ball)

    def _roll(self, roll: Rolled) -> StreetSoccerState:
        if not self.rolling:
            raise refusals.refuse(self, roll)
        if self.phase is Phase.PLAY:
            return replace(self, rolling=False, number=roll.face)
        if self.phase is Phase.RESTART:
            if roll.face not in RESTART_NUMBERS:
                return self
            return _unless_stuck(replace(self, rolling=False, number=roll.face))
        if self.first_die is None:
            return replace(self, first_die=roll.face)
        if self.first_die == roll.face:
            return replace(self, first_die=None)
        higher = Side.YELLOW if self.first_die > roll.face else Side.RED
        return _unless_stuck(
            replace(
                self,
                side=Side.YELLOW if self.preset.number_first else higher,
                rolling=False,
                first_die=None,
                number=abs(self.first_die - roll.face),
            )
        )

    def _place(self, action: Placed) -> StreetSoccerState:
        state = self
        for space in action.spaces:
            if state.side is not self.side or state.phase is not self.phase or state.rolling:
                raise refusals.too_many_placed(self.phase, action)
            one = Placed((space,))
            if not is_legal(state, one, str(one)):
                raise refusals.refuse(state, one)
            state = state._place_one(space)
        return state

    def _place_one(self, space: int) -> StreetSoccerState:
        if self.phase is Phase.RESTART:
            return self.with_keeper(space)
        players = self.players.with_side(self.acting, (*self.own, space))
        if len(self.own) + 1 < TEAM:
            return replace(self, players=players)
        if len(self.opponents) < TEAM:
            return replace(self, players=players, side=self.acting.opponent)
        kick_off = replace(self, phase=Phase.KICK_OFF, players=players)
        if self.number is None:
            return replace(kick_off, side=None, rolling=True)
        return _unless_stuck(replace(kick_off, side=Side.YELLOW))

    def _end_turn(self, players: Players, ball: int | None) -> StreetSoccerState:
        """Return the state after the turn of the side to act; the ball is ``None`` when it has scored."""
        side, score, last_scorer = self.acting, self.score, self.last_scorer
        if ball is None:
            score, last_scorer = score.with_side(side, score[side] + 1), side
        ended = StreetSoccerState(
            preset=self.preset,
            phase=Phase.RESTART if ball is None else Phase.PLAY,
            turns=self.turns + 1,
            side=side.opponent,
            rolling=ball is not None or self.preset.die_first,
            first_die=None,
            number=None,
            players=players,
            ball=ball,
            score=score,
            last_scorer=last_scorer,
        )
        return replace(ended, phase=Phase.OVER, side=None, rolling=False) if ended.ending else ended


def _unless_stuck(state: StreetSoccerState) -> StreetSoccerState:
    """Return the state itself, or the one in which the number is rolled anew, as nothing is legal with it (S21)."""
    if legal_moves(state):
        return state
    side = state.side if state.phase is Phase.RESTART else None
    return replace(state, side=side, rolling=True, number=None)
