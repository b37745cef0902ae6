"""Texts played through, as the API answers them and the page shows them."""

from __future__ import annotations

from typing import cast

from matches.game_shapes import RecordShape, ReplayShape
from matches.presentation import present_numbers, present_outcome
from matches.texts import Replay
from rules_engine.record import to_data


def present_replay(replay: Replay) -> ReplayShape:
    """Return the game, the record and every position of a text."""
    outcome = replay.states[-1].outcome
    return {
        "game": replay.game.key,
        "title": replay.game.title,
        "record": cast("RecordShape", to_data(replay.record)),
        "positions": [
            {"ply": ply, "position": str(state), "stage": state.stage, "score": present_numbers(state.score)}
            for ply, state in enumerate(replay.states)
        ],
        "outcome": present_outcome(outcome) if outcome else None,
    }
