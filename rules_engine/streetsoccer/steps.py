"""Moves as clicks: which spaces a coach taps one after the other to say a move."""

from __future__ import annotations

from collections.abc import Iterable

from rules_engine.errors import InvalidNotation
from rules_engine.protocol import Step
from rules_engine.streetsoccer.notation import GOAL, PASS
from rules_engine.streetsoccer.pitch import GOALS, NAMES
from rules_engine.values import Side


def next_steps(moves: Iterable[str], prefix: str, side: Side | None) -> tuple[Step, ...]:
    """Return what may be clicked after ``prefix``, in the order of ``moves``.

    Raises ``InvalidNotation`` when none of ``moves`` begins with these clicks.
    """
    moves = list(moves)
    legal = set(moves)
    found: dict[str, Step] = {}
    known = not prefix
    for move in moves:
        clicks = ["", *_texts(move)]
        if prefix in clicks:
            known = True
            for text in clicks[clicks.index(prefix) + 1 :][:1]:
                found[text] = Step(text, _space(text, side), text in legal)
    if not known:
        raise InvalidNotation(f"no legal move begins with {prefix!r}")
    return tuple(found.values())


def _texts(move: str) -> list[str]:
    """Return the move's text as it grows with each click: ``c3``, ``c3-d6``, ``c3-d6>f9``."""
    return [move[:cut] for cut in range(1, len(move)) if move[cut] in "->"] + [move]


def _space(text: str, side: Side | None) -> str:
    """Return the space to click for the last part of the text; none for a pass."""
    if text == PASS:
        return ""
    name = text.replace("-", ">").replace("@", ">").rpartition(">")[2]
    if name == GOAL and side:
        goal = GOALS[side.opponent]
        return NAMES[(goal & -goal).bit_length() - 1]
    return name
