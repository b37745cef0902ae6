"""Views: a game as the search sees it, and any game seen so by its public states alone."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from rules_engine.protocol import State
from rules_engine.values import Turn

P = TypeVar("P", bound=Hashable)

Evaluation = Callable[[State], float]
"""Yellow's chance of winning the match, from 0 to 1; a draw counts a half."""


class View(Protocol[P]):
    """The questions that the search asks of a game.

    A position ``P`` is an immutable, hashable value; equal positions have equal values. A game whose states are
    too slow to search in may have smaller ones of its own here.
    """

    def enter(self, state: State) -> P:
        """Return the state as a position of the search."""

    def follow(self, state: State, text: str) -> P:
        """Return the state after a legal move, also after one that ``moves`` leaves out.

        Its value lies within the ``bounds`` of the state, as those of ``moves`` do.
        """

    def turn(self, position: P) -> Turn:
        """Return who acts next; nobody also where a search adds nothing to ``value``, though chance or a side acts."""

    def moves(self, position: P) -> tuple[Sequence[tuple[str, P]], int]:
        """Return moves of the side to act with the state after each, at least one, in a stable order.

        Also return how many positions were looked at to find them, which the budget counts. A text may join several
        actions. A game may leave out moves where there are too many, but not the last that wins at once.
        """

    def rolls(self, position: P) -> Sequence[tuple[str, float, P]]:
        """Return each roll of chance with its probability and the state after it."""

    def value(self, position: P) -> float:
        """Return Yellow's chance of winning the match, from 0 to 1; a draw counts a half."""

    def quick_eval(self, position: P) -> float:
        """Return a quick value that orders moves: the greater, the better for Yellow. The best are searched further."""

    def bounds(self, position: P) -> tuple[float, float]:
        """Return the least and the greatest value that a search can find from here: a state with either is decided."""


@dataclass(frozen=True, slots=True)
class PlainView:
    """A game by its public states, with an evaluation that is quick enough to order moves too."""

    evaluation: Evaluation

    def enter(self, state: State) -> State:
        """Return the state itself."""
        return state

    def follow(self, state: State, text: str) -> State:
        """Return the state after the move."""
        return state.play(text)

    def turn(self, position: State) -> Turn:
        """Return who acts next."""
        return position.turn

    def moves(self, position: State) -> tuple[list[tuple[str, State]], int]:
        """Return every legal move with the state after it, and how many there are."""
        moves = [(text, position.play(text)) for text in position.legal_moves()]
        return moves, len(moves)

    def rolls(self, position: State) -> list[tuple[str, float, State]]:
        """Return every roll with its probability and the state after it."""
        return [(roll.text, float(roll.probability), position.play(roll.text)) for roll in position.chance()]

    def value(self, position: State) -> float:
        """Return what the evaluation says."""
        return self.evaluation(position)

    def quick_eval(self, position: State) -> float:
        """Return what the evaluation says."""
        return self.evaluation(position)

    def bounds(self, position: State) -> tuple[float, float]:
        """Return a certain loss and a certain win."""
        return 0.0, 1.0
