"""Turns that go on across rolls: nobody can know what follows one, so they go on as far as they are legal."""

from collections.abc import Sequence
from datetime import datetime

from matches.models import Actor, Match, Move
from matches.selectors.replay import state_after
from matches.services import progress
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.protocol import State
from rules_engine.values import Side


def go_on_across_rolls(match: Match, moves: list[Move], texts: Sequence[str], length: int, now: datetime) -> list[Move]:
    """Let the side of the first move play on, as far as its texts are legal; return the moves that were sent.

    ``texts`` are those of the whole turn, and the first moves its beginning of this length. What is played is added to
    the moves. A text that was played by itself is not played again.
    """
    side, own, seen = Side(moves[0].actor), moves[:length], length
    while True:
        own += _sent_by_itself(moves[seen:], side, texts[len(own) :])
        left = texts[len(own) :]
        after, length = _follow(match.state, side, left)
        if not length:
            return own
        played = progress.play(match, after, side, left[:length], now=now)
        own += played[:length]
        seen = len(moves) + length
        moves += played


def find_stored_turn(match: Match, side: Side, ply: int, texts: Sequence[str]) -> tuple[Move, ...]:
    """Return the moves that are stored of just this turn, as far as it went on across its rolls, else none."""
    own: list[Move] = []
    end, has_rolled = ply, False
    for move in match.moves.filter(ply__gte=ply).order_by("ply"):
        if len(own) < len(texts) and move.actor == side and move.text == texts[len(own)]:
            own.append(move)
        elif not own or len(own) == len(texts) or not (move.actor == Actor.CHANCE or move.by_itself):
            break
        has_rolled = has_rolled or move.actor == Actor.CHANCE
        end = move.ply + 1
    left = texts[len(own) :]
    if left and not (has_rolled and not _follow(state_after(match, end), side, left)[1]):
        return ()
    return tuple(own)


def _sent_by_itself(moves: Sequence[Move], side: Side, texts: Sequence[str]) -> list[Move]:
    """Return the moves by themselves that a side has sent, too, as the first of these texts."""
    sent: list[Move] = []
    for move in moves:
        if len(sent) < len(texts) and move.by_itself and move.actor == side and move.text == texts[len(sent)]:
            sent.append(move)
    return sent


def _follow(state: State, side: Side, texts: Sequence[str]) -> tuple[State, int]:
    """Return the state after the first texts that a side can play running, and how many these are."""
    for length, text in enumerate(texts):
        if state.turn is not side:
            return state, length
        try:
            state = state.play(text)
        except (IllegalMove, InvalidNotation):
            return state, length
    return state, len(texts)
