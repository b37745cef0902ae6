"""Rolls for the templates that draw them, each game's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from matches.models import Actor
from matches.selectors.replay import Stage
from rules_engine.protocol import State
from rules_engine.values import Side

MAX_WAITING = 2
"""The most rolls that are shown beside what they are for."""


@dataclass(frozen=True, slots=True)
class DrawnRoll:
    """A roll in a position: its text, its kind, the sides whose it is, and whether it decides something by itself."""

    text: str
    kind: str
    sides: tuple[Side, ...]
    stands_alone: bool
    state: State

    @property
    def sentence(self) -> str:
        """Return the consequence of the roll in words, made only of rolls that are shown with it."""
        return self.state.describe(self.text)


def draw_roll(state: State, text: str) -> DrawnRoll:
    """Return a roll that comes in this position."""
    roll = next(each for each in state.chance() if each.text == text)
    return DrawnRoll(text, roll.kind, roll.sides, roll.stands_alone, state)


def waiting_rolls(stages: Sequence[Stage]) -> list[DrawnRoll]:
    """Return the last rolls that no move has used yet, if they are of one kind."""
    since = takewhile(lambda stage: stage.move.actor == Actor.CHANCE, reversed(stages))
    rolls = [draw_roll(stage.before, stage.move.text) for stage, _ in zip(since, range(MAX_WAITING), strict=False)]
    return [roll for roll in reversed(rolls) if roll.kind == rolls[0].kind]
