"""Moves that follow another one at once, without waiting for the player to act."""

from itertools import islice

from matches.models import Match
from rules_engine.protocol import State
from rules_engine.values import Side


def find_follow_up(match: Match, state: State) -> str | None:
    """Return the move that is played by itself where a match has come to a state, ``None`` if a player has to act."""
    side = state.turn
    if not isinstance(side, Side) or match.by_hand[side] or not match.players[side].by_itself:
        return None
    return find_only_move(state)


def find_only_move(state: State) -> str | None:
    """Return the only legal move, ``None`` where there are others or no side is to act."""
    moves = list(islice(state.iter_legal_moves(), 2))
    return moves[0] if len(moves) == 1 else None
