"""Moves as clicks: the spaces that a player of the game clicks one after the other to make a move."""

from functools import lru_cache

from rules_engine.errors import InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.protocol import Step
from rules_engine.streetsoccer.legal_moves import legal_moves
from rules_engine.streetsoccer.notation import GOAL, PASS
from rules_engine.streetsoccer.pitch import GOALS, NAMES
from rules_engine.streetsoccer.position import Position

_LABELS = {PASS: Message("step_pass")}
"""The label of the button for the step that has no space."""

MAX_CACHED_POSITIONS = 64
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
    moves = legal_moves(position)
    legal = set(moves)
    tree: dict[str, list[tuple[str, bool]]] = {"": []}
    for move in moves:
        before = ""
        for text in _clicks(move):
            if text not in tree:
                tree[text] = []
                tree[before].append((text, text in legal))
            before = text
    return tree


def _clicks(move: str) -> list[str]:
    """Return the move's text as it grows with each click: ``c3``, ``c3-d6``, ``c3-d6>f9``."""
    return [move[:cut] for cut in range(1, len(move)) if move[cut] in "->"] + [move]


def _space(text: str, position: Position) -> str:
    """Return the space to click for the last part of the text; none for a pass."""
    if text == PASS:
        return ""
    name = text.replace("-", ">").replace("@", ">").rpartition(">")[2]
    if name == GOAL:
        goal = GOALS[position.acting.opponent]
        return NAMES[(goal & -goal).bit_length() - 1]
    return name
