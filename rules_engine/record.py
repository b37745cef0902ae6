"""The match record: tags and every event in order, as text that a person can read and as data.

The text has one tag a line, an empty line, then one line for each thing that a coach did, with the
dice that fell before it in parentheses; dice that nobody has used yet stand alone at the end::

    [Game "streetsoccer-online"]
    [Yellow "anna"]
    [Red "piotr"]

    yellow (5) (2) @c3
    yellow @f5
    yellow @g8
"""

from __future__ import annotations

import re
from typing import Any

from rules_engine.errors import InvalidNotation
from rules_engine.events import Event, Record
from rules_engine.protocol import State
from rules_engine.registry import get_game
from rules_engine.replaying import follow
from rules_engine.tags import TAG, read_value, write_tag
from rules_engine.values import Nature, Side

_TAG = re.compile(TAG)
_LINE = re.compile(r"(yellow|red)((?: \([^\s()\[\]]+\))*) ([^\s()\[\]]+)")
_ROLLS = re.compile(r"\([^\s()\[\]]+\)(?: \([^\s()\[\]]+\))*")


def write_record(record: Record) -> str:
    """Return the record as text, ending with a line break."""
    lines = [write_tag(name, value) for name, value in record.tags.items()]
    lines.append("")
    rolls: list[str] = []
    for event in record.events:
        if event.actor is Nature.CHANCE:
            rolls.append(f"({event.text})")
        else:
            lines.append(" ".join((event.actor, *rolls, event.text)))
            rolls = []
    if rolls:
        lines.append(" ".join(rolls))
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """Return the record that the text holds; raises ``InvalidNotation`` with the number of the line.

    Only the form is read; ``replay`` tells whether the events are a match. Line breaks of any system and
    spaces at the end of a line are forgiven.
    """
    tags: dict[str, str] = {}
    events: list[Event] = []
    complete = False
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        line = raw.rstrip(" \t")
        if not line:
            continue
        if complete:
            raise InvalidNotation(f"line {number}: nothing may follow dice that nobody has used")
        if line.startswith("["):
            name, value = _read_tag(line, number)
            if events or name in tags:
                raise InvalidNotation(f"line {number}: the tag {name} comes too late or twice")
            tags[name] = value
        else:
            events += _read_events(line, number)
            complete = line.startswith("(")
    return Record(tags, tuple(events))


def to_data(record: Record) -> dict[str, Any]:
    """Return what the text's JSON twin holds: ``tags`` and ``events`` of ``actor`` and ``text``."""
    return {
        "tags": dict(record.tags),
        "events": [{"actor": event.actor.value, "text": event.text} for event in record.events],
    }


def replay(record: Record) -> State:
    """Return the state after all events.

    Raises ``InvalidNotation`` when the game is unknown, an event cannot be read, or it is not its actor's turn, and
    ``IllegalMove`` when the rules refuse one; the message begins with the event's number, from 1.
    """
    try:
        state = get_game(record.tags.get("Game", "")).start()
    except KeyError as error:
        raise InvalidNotation(error.args[0]) from None
    for after in follow(state, record.events):
        state = after
    return state


def _read_tag(line: str, number: int) -> tuple[str, str]:
    found = _TAG.fullmatch(line)
    if not found:
        raise InvalidNotation(f'line {number}: a tag is written [Name "value"]')
    value = read_value(found[2])
    if not value.isprintable():
        raise InvalidNotation(f"line {number}: the tag's value holds characters that cannot be printed")
    return found[1], value


def _read_events(line: str, number: int) -> list[Event]:
    if _ROLLS.fullmatch(line):
        return _read_rolls(line)
    found = _LINE.fullmatch(line)
    if not found:
        raise InvalidNotation(f"line {number}: an event is a side, its dice in parentheses, and a move")
    return [*_read_rolls(found[2]), Event(Side(found[1]), found[3])]


def _read_rolls(text: str) -> list[Event]:
    return [Event(Nature.CHANCE, roll[1:-1]) for roll in text.split()]
