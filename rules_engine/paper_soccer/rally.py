"""One point of Paper Soccer: every step, until the ball is in a goal or cannot go on (P1 to P7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.paper_soccer import description, refusals
from rules_engine.paper_soccer.field import BARRED_STEPS, EVER, NAMES, START, STEPS, StepsByDigit, bounces
from rules_engine.paper_soccer.notation import read_steps
from rules_engine.paper_soccer.position import Position
from rules_engine.paper_soccer.presets import Preset
from rules_engine.paper_soccer.scene import draw
from rules_engine.picture import Picture, Route
from rules_engine.protocol import Roll, State, Step
from rules_engine.values import BySide, Ending, Outcome, Score, Side


@dataclass(frozen=True, slots=True)
class Rally(Position):
    """A position that can be played on: a ``State`` of the protocol, whose score is 1-0 or 0-1 at the end."""

    __str__ = Position.__str__

    @property
    def turn(self) -> Side | None:
        """Return the side that draws the next step, ``None`` when the point is decided."""
        return None if self.winner else self.side

    @property
    def score(self) -> Score:
        """Return one for the side that has got the point."""
        winner = self.winner
        return BySide(int(winner is Side.YELLOW), int(winner is Side.RED))

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome by P6 and P7, ``None`` while the point is being played."""
        winner = self.winner
        return Outcome(winner, Ending.NORMAL_TIME, self.score) if winner else None

    @property
    def stage(self) -> Message:
        """Return the turn that is being played, such as ``"turn 7"``."""
        return description.stage(self)

    @property
    def task(self) -> Message:
        """Return the task of the side to act, in one sentence."""
        return description.task(self)

    def chance(self) -> tuple[Roll, ...]:
        """Return nothing: there is no chance in a point."""
        return ()

    def legal_moves(self) -> list[str]:
        """Return the legal steps, clockwise from north."""
        return list(self.iter_legal_moves())

    def iter_legal_moves(self) -> Iterator[str]:
        """Yield the legal steps, clockwise from north."""
        return (digit for digit, _, _ in self.ways())

    def play(self, text: str) -> Rally:
        """Return the state after a step, or after several of the same turn."""
        return self._after_each(text)[-1]

    def replay(self, text: str) -> Rally:
        """Return the state after what was drawn here: it is checked anew, which costs next to nothing."""
        return self.play(text)

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        """Return the points that can be drawn to after ``prefix``; a step is final where the turn ends."""
        state = self
        if prefix:
            try:
                state = self.play(prefix)
            except IllegalMove:
                raise InvalidNotation("no_move_begins_so", prefix=shorten(prefix)) from None
            if not state.bouncing:
                return ()
        return tuple(
            Step(prefix + digit, NAMES[point], not after.bouncing or after.winner is not None)
            for digit, point, segment in state.ways()
            for after in (state.drawn_to(digit, point, segment),)
        )

    def placement_plan(self) -> None:
        """Return nothing: there are no figures."""

    @property
    def decision(self) -> str:
        """Return an empty text: every step depends on what is drawn."""
        return ""

    def rehearsals(self, side: Side) -> Mapping[str, State]:
        """Return nothing."""
        return {}

    def route(self, move: str) -> Route:
        """Return the points that the ball goes through."""
        return Route(kick=tuple(NAMES[state.ball] for state in (self, *self._after_each(move))))

    def picture(self) -> Picture:
        """Return what the field looks like."""
        return draw(self)

    def picture_after(self, text: str) -> Picture:
        """Return what the field looks like after a move."""
        return self.play(text).picture()

    def in_words(self) -> tuple[Message, ...]:
        """Return where the ball is, and where it can go."""
        return description.describe_field(self)

    def describe(self, text: str) -> Message:
        """Return what one step or several of the same turn draw."""
        states = self._after_each(text)
        return description.describe_turn(self, [NAMES[state.ball] for state in (self, *states)], states[-1])

    def _after_each(self, text: str) -> list[Rally]:
        """Return the states after each of the steps of a text, of which there is one at least."""
        state, states = self, []
        for taken, digit in enumerate(read_steps(text)):
            if taken and (state.winner or not state.bouncing):
                raise refusals.refuse_beyond(state, text[:taken])
            state = state._step(digit)
            states.append(state)
        return states

    def _step(self, digit: str) -> Rally:
        for way, point, segment in self.ways():
            if way == digit:
                return self.drawn_to(digit, point, segment)
        raise refusals.refuse(self, digit)

    def drawn_to(self, digit: str, point: int, segment: int) -> Rally:
        """Return the state after one legal step."""
        return Rally(
            preset=self.preset,
            side=self.side if bounces(point, self.drawn) else self.side.opponent,
            ball=point,
            drawn=self.drawn | segment,
            first=self.first,
            path=f"{self.path}{'' if self.bouncing or not self.path else ' '}{digit}",
        )


def follow_turns(preset: Preset, first: Side, path: str) -> Rally | None:
    """Return the state after the turns of a path, ``None`` if they are no path by P1 to P7.

    It is what ``play`` gives, turn by turn, without a state for each step.
    """
    steps, waiting = _steps_of(preset, first), _steps_of(preset, first.opponent)
    side, ball, drawn, bouncing = first, START, EVER, 0
    for turn in path.split(" "):
        if bouncing:
            return None
        bouncing = EVER
        for digit in turn:
            step = steps[ball].get(digit)
            if not bouncing or step is None:
                return None
            ball, segment, bounced_by = step
            if drawn & segment:
                return None
            bouncing = drawn & bounced_by
            drawn |= segment
        if not bouncing:
            side, steps, waiting = side.opponent, waiting, steps
    return Rally(preset=preset, side=side, ball=ball, drawn=drawn ^ EVER, first=first, path=path)


def _steps_of(preset: Preset, side: Side) -> StepsByDigit:
    return STEPS if preset.own_goals else BARRED_STEPS[side]
