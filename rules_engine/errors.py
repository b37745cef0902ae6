"""What a game raises: text that cannot be read, and moves that the rules refuse."""

from __future__ import annotations

from typing import Final

MAX_QUOTED_CHARACTERS: Final = 40


def quote(text: str) -> str:
    """Return ``text`` in quotation marks as a refusal repeats it: no more than its beginning if it is long."""
    return repr(text) if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]!r}…"


class InvalidNotation(ValueError):
    """The text is not a position, a move or a record in this game's notation."""


class IllegalMove(ValueError):
    """The text is a move, but the rules refuse it here.

    ``rule`` is the id of the broken rule (``"S12"``), ``str(error)`` one sentence
    about this move.
    """

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason
