"""Paper Soccer's moves as text: one digit a step, clockwise from north, and a turn is the string of its digits."""

import re
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.messages import shorten

COMPASS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""The direction of each digit."""

_STEPS = re.compile("[0-7]+")
_HALF_TURN = str.maketrans("01234567", "45670123")


def read_steps(text: str) -> str:
    """Return ``text`` if it is one step or several joined; raises ``InvalidNotation``."""
    if not _STEPS.fullmatch(text):
        raise InvalidNotation("steps_form", text=shorten(text))
    return text


def turn_half(text: str) -> str:
    """Return the same steps on the field turned by half: (d + 4) mod 8."""
    return text.translate(_HALF_TURN)
