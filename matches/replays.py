"""Texts played through, as the API answers them and the page shows them."""

from __future__ import annotations

from typing import cast

from matches.game_shapes import RecordShape, ReplayedShape, ReplayShape
from matches.presentation import present_numbers, present_outcome
from matches.texts import Replay
from rules_engine.protocol import State
from rules_engine.record_formats import record_to_json

MAX_POSITIONS = 100
"""How many positions of a text one answer holds."""


def present_replay(replay: Replay, first_ply: int = 0) -> ReplayShape:
    """Return the game, the record, the last position, and at most ``MAX_POSITIONS`` others from ``first_ply`` on."""
    states = replay.states
    outcome = states[-1].outcome
    end = first_ply + MAX_POSITIONS
    return {
        "game": replay.game.key,
        "title": replay.game.title,
        "record": cast("RecordShape", record_to_json(replay.record)),
        "remarks": list(replay.remarks),
        "last": _present_position(states[-1], len(states) - 1),
        "positions": [
            _present_position(state, ply) for ply, state in enumerate(states[first_ply:end], start=first_ply)
        ],
        "next_ply": end if end < len(states) else None,
        "outcome": present_outcome(outcome) if outcome else None,
    }


def _present_position(state: State, ply: int) -> ReplayedShape:
    return {"ply": ply, "position": str(state), "stage": state.stage, "score": present_numbers(state.score)}
