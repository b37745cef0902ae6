"""Positions in English sentences, for those who cannot see the board. Each game says what is on its own."""

from __future__ import annotations

from collections.abc import Sequence

from rules_engine.protocol import State
from rules_engine.values import Nature, Side


def summarise(state: State, *, is_over: bool = False) -> tuple[str, ...]:
    """Return a position in sentences: how the match stands, then what is on the board.

    ``is_over`` says that the match ended here although its rules would let it go on.
    """
    score = state.score
    standing = f"{state.stage.capitalize()}. Yellow {score.yellow}, Red {score.red}."
    if is_over:
        standing += " The match is over."
    elif isinstance(state.turn, Side):
        standing += f" {state.turn.capitalize()} is to play."
    elif state.turn is Nature.CHANCE:
        standing += " A roll comes next."
    return (standing, *state.in_words())


def join_words(words: Sequence[str]) -> str:
    """Return words as they are listed in a sentence: ``"a, b and c"``."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
