"""Replays of matches from their moves, which are the truth."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from matches.dice import Played, outcomes
from matches.errors import MatchNotFound
from matches.models import Actor, Match, Move
from rules_engine.protocol import State


@dataclass(frozen=True, slots=True)
class Stage:
    """One move of a match between the states before and after it."""

    move: Move
    before: State
    after: State

    @property
    def played(self) -> Played:
        """Return the move in the form that the dice's proof reads."""
        rolls = outcomes(self.before) if self.move.is_drawn else self.before.chance()
        return Played(self.move.actor, self.move.text, rolls)


def last_action(stages: Sequence[Stage]) -> Stage | None:
    """Return the last stage in which a side moved, ``None`` if there are rolls alone."""
    return next((stage for stage in reversed(stages) if stage.move.actor != Actor.CHANCE), None)


def replay(match: Match, moves: Iterable[Move]) -> Iterator[Stage]:
    """Play a match's moves from the start, one after the other.

    Raises ``InvalidNotation`` or ``IllegalMove`` when the moves are no match.
    """
    state = match.rules.start()
    for move in moves:
        after = state.play(move.text)
        yield Stage(move, state, after)
        state = after


def state_after(match: Match, ply: int) -> State:
    """Return the state after the first ``ply`` moves; raises ``MatchNotFound`` if there are not so many."""
    if not 0 <= ply <= match.ply:
        raise MatchNotFound(_("The match has only reached ply %(ply)d.") % {"ply": match.ply})
    state = match.rules.start()
    for stage in replay(match, match.moves.filter(ply__lt=ply)):
        state = stage.after
    return state
