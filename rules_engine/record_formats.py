"""The match record: tags and every move in order, as text that a person can read and as data.

The text has one tag a line, an empty line, then one line for each action of a side, with the dice that were rolled
before it in parentheses; dice that no side has used yet stand alone at the end::

    [Game "streetsoccer-online"]
    [Yellow "anna"]
    [Red "piotr"]

    yellow (5) (2) @c3
    yellow @f5
    yellow @g8
"""

import re
from typing import Any

from rules_engine.errors import InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.protocol import State
from rules_engine.record import ACTORS, Move, Record
from rules_engine.registry import get_game
from rules_engine.replay import replay_moves
from rules_engine.strict_json import read_json
from rules_engine.tags import TAG, read_value, write_tag
from rules_engine.values import Nature, Side

_JSON_TWIN = re.compile(r'\ufeff?\s*\{\s*"(?:tags|moves)"\s*:')
_TAG = re.compile(TAG)
_LINE = re.compile(r"(yellow|red)((?: \([^\s()\[\]]+\))*) ([^\s()\[\]]+)")
_ROLLS = re.compile(r"\([^\s()\[\]]+\)(?: \([^\s()\[\]]+\))*")


def write_record(record: Record) -> str:
    """Return the record as text, ending with a line break."""
    lines = [write_tag(name, value) for name, value in record.tags.items()]
    lines.append("")
    rolls: list[str] = []
    for move in record.moves:
        if move.actor is Nature.CHANCE:
            rolls.append(f"({move.text})")
        else:
            lines.append(" ".join((move.actor, *rolls, move.text)))
            rolls = []
    if rolls:
        lines.append(" ".join(rolls))
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """Return the record that the text holds; raises ``InvalidNotation`` with the number of the line.

    Only the form is read; ``replay_record`` checks whether the moves are a match. Line breaks of any system, blanks of
    any kind and number, and a byte-order mark are accepted.
    """
    tags: dict[str, str] = {}
    moves: list[Move] = []
    complete = False
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        line = raw.strip()
        if not line:
            continue
        if complete:
            raise InvalidNotation("dice_unused").within("on_line", line=number)
        if line.startswith("["):
            name, value = _read_tag(line, number)
            if moves or name in tags:
                raise InvalidNotation("tag_late_or_twice", name=shorten(name)).within("on_line", line=number)
            tags[name] = value
        else:
            moves += _read_moves(line, number)
            complete = line.startswith("(")
    return Record(tags, tuple(moves))


def record_to_json(record: Record) -> dict[str, Any]:
    """Return the record for JSON: ``tags``, and ``moves`` of ``actor`` and ``text``."""
    return {
        "tags": dict(record.tags),
        "moves": [{"actor": move.actor.value, "text": move.text} for move in record.moves],
    }


def record_from_json(data: object) -> Record:
    """Return the record that ``record_to_json`` gave; raises ``InvalidNotation`` when the data are no record."""
    if not isinstance(data, dict) or data.keys() != {"tags", "moves"}:
        raise InvalidNotation("record_form")
    tags, moves = data["tags"], data["moves"]
    if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
        raise InvalidNotation("record_tags_form")
    if not isinstance(moves, list):
        raise InvalidNotation("record_moves_form")
    return Record(dict(tags), tuple(_move_from(each, ply) for ply, each in enumerate(moves)))


def looks_like_json(text: str) -> bool:
    """Return whether the text looks like a record in JSON."""
    return bool(_JSON_TWIN.match(text))


def read_json_record(text: str) -> Record:
    """Return the record that the text holds in JSON; raises ``InvalidNotation``."""
    return record_from_json(read_json(text))


def list_remarks(record: Record, state: State) -> tuple[Message, ...]:
    """Return a sentence for each tag about the result that contradicts the moves, which lead to ``state``."""
    outcome = state.outcome
    played = {"Score": f"{state.score.yellow}-{state.score.red}"}
    if outcome:
        played |= {"Winner": outcome.winner or "nobody", "Ending": outcome.ending}
    return tuple(
        Message("tag_contradicted", name=name, told=shorten(record.tags[name]), played=value)
        for name, value in played.items()
        if record.tags.get(name, value) != value
    )


def replay_record(record: Record) -> State:
    """Return the state after all moves.

    Raises ``InvalidNotation`` when the game is unknown, a move cannot be read, or it is not its actor's turn, and
    ``IllegalMove`` when the rules refuse one; the message begins with the move's number, from 1.
    """
    try:
        state = get_game(record.tags.get("Game", "")).start()
    except KeyError as error:
        raise InvalidNotation(error.args[0].code, **error.args[0].parameters) from None
    for after in replay_moves(state, record.moves):
        state = after
    return state


def _move_from(data: object, ply: int) -> Move:
    if not isinstance(data, dict) or data.keys() != {"actor", "text"}:
        raise InvalidNotation("move_form").within("in_move", number=ply + 1)
    actor, text = data["actor"], data["text"]
    if not isinstance(actor, str) or actor not in ACTORS:
        raise InvalidNotation("move_actor", actors=tuple(ACTORS)).within("in_move", number=ply + 1)
    if not isinstance(text, str):
        raise InvalidNotation("move_text_form").within("in_move", number=ply + 1)
    return Move(ACTORS[actor], text)


def _read_tag(line: str, number: int) -> tuple[str, str]:
    found = _TAG.fullmatch(line)
    if not found:
        raise InvalidNotation("tag_form").within("on_line", line=number)
    value = read_value(found[2])
    if not value.isprintable():
        raise InvalidNotation("tag_value", name=shorten(found[1])).within("on_line", line=number)
    return found[1], value


def _read_moves(line: str, number: int) -> list[Move]:
    line = " ".join(line.split())
    if _ROLLS.fullmatch(line):
        return _read_rolls(line)
    found = _LINE.fullmatch(line)
    if not found:
        raise InvalidNotation("move_line_form").within("on_line", line=number)
    return [*_read_rolls(found[2]), Move(Side(found[1]), found[3])]


def _read_rolls(text: str) -> list[Move]:
    return [Move(Nature.CHANCE, roll[1:-1]) for roll in text.split()]
