"""Moves as clicks: the squares that a player of the game clicks one after the other to make a move."""

from functools import lru_cache
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.protocol import Step
from rules_engine.soccer_tactics.board import NAMES, NUMBERS
from rules_engine.soccer_tactics.legal_moves import legal_moves
from rules_engine.soccer_tactics.notation import PASS, ROLL
from rules_engine.soccer_tactics.position import Position

_LABELS: Final = {ROLL: Message("step_roll"), PASS: Message("step_pass")}
"""The labels of buttons, for the steps that have no square."""

MAX_CACHED_POSITIONS: Final = 64
"""A page that asks for one step of a position soon asks for the next."""


def next_steps(position: Position, prefix: str) -> tuple[Step, ...]:
    """Return what may be clicked after ``prefix``, in the order of the legal moves.

    Raises ``InvalidNotation`` when none of them begins with these clicks.
    """
    try:
        texts = _tree(position)[prefix]
    except KeyError:
        raise InvalidNotation("no_move_begins_so", prefix=shorten(prefix)) from None
    return tuple(Step(text, _space(text, position), final, _LABELS.get(text)) for text, final in texts)


@lru_cache(maxsize=MAX_CACHED_POSITIONS)
def _tree(position: Position) -> dict[str, list[tuple[str, bool]]]:
    """Return what follows every prefix of a legal move, the whole moves and nothing included: texts, and if final."""
    tree: dict[str, list[tuple[str, bool]]] = {"": []}
    for move in legal_moves(position):
        before = ""
        for text in _clicks(move):
            if text not in tree:
                tree[text] = []
                tree[before].append((text, text == move))
            before = text
    return tree


def _clicks(move: str) -> list[str]:
    """Return the move's text as it grows with each click: ``c6``, ``c6-d8``; ``=``, ``=e9`` by way of the holder."""
    if move[0] == "=":
        return ["=", move]
    start, dash, _ = move.partition("-")
    return [start, move] if dash else [move]


def _space(text: str, position: Position) -> str:
    """Return the square to click for the last part of the text; none for a pass, and to ask for the die."""
    if text == "=":
        return NAMES[position.ball_square]
    if text[0] == "#":
        return NAMES[position.square_of(position.attackers, int(text[1:]))]
    name = text.lstrip("@>=").rpartition("-")[2]
    return name if name in NUMBERS else ""
