"""Refusals of the engine: text that cannot be read, and moves that are against the rules."""

from __future__ import annotations

from typing import Any

from rules_engine.messages import Message


class EngineError(ValueError):
    """A refusal: ``str(error)`` is its sentence in English.

    ``code`` is stable, and programs decide by it; ``parameters`` are the values in the sentence.
    """

    def __init__(self, code: str, /, **parameters: Any) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """Return the refusal as a sentence with its code and parameters."""
        return Message(self.code, **self.parameters)


class InvalidNotation(EngineError):
    """The text is not a position, a move or a record in this game's notation."""

    def within(self, code: str, /, **parameters: Any) -> InvalidNotation:
        """Return the refusal as part of another message, whose parameter ``fault`` it is."""
        return InvalidNotation(code, fault=self.message, **parameters)


class IllegalMove(EngineError):
    """The text is a move, but the rules refuse it here. ``rule`` is the id of the broken rule, such as ``"S12"``."""

    def __init__(self, rule: str, code: str, /, **parameters: Any) -> None:
        super().__init__(code, **parameters)
        self.rule = rule

    def within(self, code: str, /, **parameters: Any) -> IllegalMove:
        """Return the refusal as part of another message, whose parameter ``fault`` it is."""
        return IllegalMove(self.rule, code, fault=self.message, **parameters)
