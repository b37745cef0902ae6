"""Play a match of the demo season: by the engine, with the match's own dice, but many moves in one go."""

import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from matches import clock
from matches.models import Match, Move
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.move_storage import store_moves
from rules_engine.protocol import State
from rules_engine.values import Side

MAX_PAUSE = timedelta(hours=5)

Choose = Callable[[State, Side], str]


def play_on(
    *, match_id: int, choose: Choose, until: datetime, rnd: random.Random, max_pause: timedelta = MAX_PAUSE
) -> Match:
    """Play a match from where it stands, with pauses as people make them, and return it.

    It stops at the end of the match, or where the next move would come after ``until``.
    """
    match = get_match(match_id)
    moves: list[Move] = []
    at = match.last_move_at
    while match.side:
        at += max_pause * rnd.random() ** 2
        if at > until:
            break
        side = Side(match.side)
        text = choose(match.state, side)
        after = match.state.play(text)
        moves += progress.play(match, after, side, [text], now=clock.whole_millisecond(at))
    if moves:
        store_moves(match, moves)
    return match


def chooser(match: Match, skill_of: Mapping[int, float], rnd: random.Random) -> Choose:
    """Return how the two players of a match move: at random, but as often as their skill says they see a goal."""

    def choose(state: State, side: Side) -> str:
        moves = state.legal_moves()
        if rnd.random() < skill_of.get(match.players[side].pk, 1.0):
            goals = [move for move in moves if _scores(state, move, side)]
            if goals:
                return rnd.choice(goals)
        return rnd.choice(list(moves))

    return choose


def _scores(state: State, move: str, side: Side) -> bool:
    return move.endswith("goal") and state.play(move).score[side] > state.score[side]
