"""StreetSoccer's moves as text: what each form says, without asking whether it is legal."""

import re
from dataclasses import dataclass

from rules_engine.errors import InvalidNotation
from rules_engine.messages import shorten
from rules_engine.streetsoccer.pitch import NAMES, NUMBERS

PASS = "pass"  # noqa: S105
GOAL = "goal"


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die: ``4``."""

    face: int


@dataclass(frozen=True, slots=True)
class Placed:
    """Players placed one after the other: ``@d1`` or ``@d1,c3,d5,f7,g4``."""

    spaces: tuple[int, ...]

    def __str__(self) -> str:
        return "@" + ",".join(NAMES[space] for space in self.spaces)


@dataclass(frozen=True, slots=True)
class Walked:
    """A walk without a kick: ``c3-c5``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Kicked:
    """A kick to a space, or into the goal where ``target`` is ``None``.

    ``c3-d6>f9`` has a ``start`` and an ``end`` of the walk; ``@d1>e4`` only the ``end``, where the goalie is put;
    ``>e4`` has neither.
    """

    start: int | None
    end: int | None
    target: int | None


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing was legal: ``pass``."""


Action = Rolled | Placed | Walked | Kicked | Passed

_SPACE = "[a-h](?:1[01]|[0-9])"
_FORMS = re.compile(
    rf"(?P<face>[1-6])"
    rf"|@(?P<placed>{_SPACE}(?:,{_SPACE})*)"
    rf"|(?:(?:(?P<start>{_SPACE})-|@)(?P<end>{_SPACE}))?>(?P<target>{_SPACE}|{GOAL})"
    rf"|(?P<from>{_SPACE})-(?P<to>{_SPACE})"
    rf"|{PASS}"
)


def read_action(text: str) -> Action:
    """Return what the text says; raises ``InvalidNotation`` unless it is one of the forms, to the letter."""
    found = _FORMS.fullmatch(text)
    if not found:
        raise InvalidNotation("move_form_unknown", text=shorten(text))
    form = found.groupdict()
    if form["face"]:
        return Rolled(int(form["face"]))
    if form["placed"]:
        return Placed(tuple(NUMBERS[name] for name in form["placed"].split(",")))
    if form["target"]:
        return Kicked(NUMBERS.get(form["start"]), NUMBERS.get(form["end"]), NUMBERS.get(form["target"]))
    if form["from"]:
        return Walked(NUMBERS[form["from"]], NUMBERS[form["to"]])
    return Passed()


def write_kick(target: int | None) -> str:
    """Return a kick's own part of the text, such as ``>e7`` or ``>goal``."""
    return f">{GOAL if target is None else NAMES[target]}"
