"""Soccer Tactics' moves and rolls as text: what each form says, without asking whether it is legal."""

import re
from dataclasses import dataclass
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.messages import shorten
from rules_engine.soccer_tactics.board import NAMES, NUMBERS

PASS: Final = "pass"  # noqa: S105
ROLL: Final = "roll"
GOAL: Final = "goal"
NO_GOAL: Final = "no-goal"
CORNER: Final = "corner"
GOAL_KICK: Final = "goal-kick"


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll: ``4``, the keeper's ``11``, a battle ``5-3``, a shot ``corner``."""

    text: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A pawn that goes from a square to another: ``c6-d8``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Played:
    """The ball played to a square: ``>e9``."""

    target: int


@dataclass(frozen=True, slots=True)
class Dribbled:
    """The holder and the ball go to a square together: ``=e9``."""

    target: int


@dataclass(frozen=True, slots=True)
class Placed:
    """The pawn whose turn it is put on a square: ``@d8``."""

    square: int


@dataclass(frozen=True, slots=True)
class Named:
    """The shirt that takes a corner: ``#10``."""

    shirt: int


@dataclass(frozen=True, slots=True)
class RollRequested:
    """The die is asked for, for an attempt: ``roll``."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing is possible, or nobody is placed: ``pass``."""


Action = Rolled | Moved | Played | Dribbled | Placed | Named | RollRequested | Passed

_SQUARE = "[a-h](?:1[0-6]|[1-9])"
_FORMS = re.compile(
    rf"(?P<rolled>1[0-2]|[1-9]|[1-6]-[1-6]|{GOAL}|{NO_GOAL}|{CORNER}|{GOAL_KICK})"
    rf"|(?P<start>{_SQUARE})-(?P<end>{_SQUARE})"
    rf"|>(?P<played>{_SQUARE})"
    rf"|=(?P<dribbled>{_SQUARE})"
    rf"|@(?P<placed>{_SQUARE})"
    rf"|#(?P<named>1[01]|[1-9])"
    rf"|{ROLL}"
    rf"|{PASS}"
)


def read_action(text: str) -> Action:
    """Return what the text says; raises ``InvalidNotation`` unless it is one of the forms, to the letter."""
    found = _FORMS.fullmatch(text)
    if not found:
        raise InvalidNotation("action_form_unknown", text=shorten(text))
    match found.groupdict():
        case {"rolled": str(rolled)}:
            return Rolled(rolled)
        case {"start": str(start), "end": str(end)}:
            return Moved(NUMBERS[start], NUMBERS[end])
        case {"played": str(name)}:
            return Played(NUMBERS[name])
        case {"dribbled": str(name)}:
            return Dribbled(NUMBERS[name])
        case {"placed": str(name)}:
            return Placed(NUMBERS[name])
        case {"named": str(shirt)}:
            return Named(int(shirt))
    return RollRequested() if text == ROLL else Passed()


MOVES: Final = {start: {end: f"{name}-{NAMES[end]}" for end in NAMES} for start, name in NAMES.items()}
PLAYS: Final = {square: f">{name}" for square, name in NAMES.items()}
DRIBBLES: Final = {square: f"={name}" for square, name in NAMES.items()}
PLACINGS: Final = {square: f"@{name}" for square, name in NAMES.items()}


def write_action(action: Action) -> str:
    """Return the text of an action: ``read_action`` reads it back."""
    match action:
        case Rolled(text=text):
            return text
        case Moved(start=start, end=end):
            return MOVES[start][end]
        case Played(target=target):
            return PLAYS[target]
        case Dribbled(target=target):
            return DRIBBLES[target]
        case Placed(square=square):
            return PLACINGS[square]
        case Named(shirt=shirt):
            return f"#{shirt}"
        case RollRequested():
            return ROLL
    return PASS
