"""What a game raises: text that cannot be read, and moves that the rules refuse."""

from __future__ import annotations


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
