"""Texts of matches as people paste them: several in one, and with more in them than moves."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rules_engine.errors import InvalidNotation
from rules_engine.messages import Message
from rules_engine.tags import TAG, read_value

_TAG_LINE = re.compile(rf"\s*{TAG}")
_PIECES = re.compile(
    rf"(?P<tag>{TAG})"
    r"|(?P<comment>\{[^}]*\}?|;[^\n]*|^[^\S\n]*[#%][^\n]*)"
    r"|(?P<sign>\$[0-9]+|[!?]{1,2}(?=[\s(){};]|$))"
    r"|(?P<bracket>[()])",
    re.MULTILINE,
)
_LEFT_OUT = {"comment": "comments_left_out", "sign": "signs_left_out", "bracket": "variations_left_out"}


@dataclass(slots=True)
class _Part:
    """The tags of a match or of a point of it, and the lines from its first tag on."""

    tags: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    has_moves: bool = False

    @property
    def round(self) -> int | None:
        told = self.tags.get("Round", "")
        return int(told) if re.fullmatch("[0-9]{1,6}", told) else None

    def continues(self, before: "_Part") -> bool:
        """Return whether this is a later point of the same match."""
        if self.round is not None and before.round is not None:
            return self.round > before.round
        return not self.tags.keys() & {"Round", "Game"}


def split_matches(text: str) -> list[str]:
    """Return the matches of a text, at least one: tags after moves begin another, unless ``Round`` counts on.

    Each has as many line breaks in front as lines are before it, so that a fault names its line in the whole text.
    """
    matches: list[str] = []
    before = _Part()
    lines = 0
    for part in _parts_of(text):
        if matches and part.continues(before):
            matches[-1] += "\n" + "\n".join(part.lines)
        else:
            matches.append("\n" * lines + "\n".join(part.lines))
        lines += len(part.lines)
        before = part
    return matches


def choose_match(matches: Sequence[str], number: int) -> str:
    """Return the match with this number, from 1; raises ``InvalidNotation`` if there are fewer."""
    if number > len(matches):
        raise InvalidNotation("match_missing", matches=len(matches))
    return matches[number - 1]


def leave_out_notes(text: str, *, variations: bool = False) -> tuple[str, tuple[Message, ...]]:
    """Return the text without comments and signs, in as many lines, and remarks on what was left out.

    Comments stand in braces, after a semicolon, or in a line that begins with ``#`` or ``%``; signs are ``!``, ``$1``.
    Where ``variations`` are told in parentheses, they are left out, too. Raises ``InvalidNotation`` where one is open.
    """
    kept: list[str] = []
    counts: Counter[str] = Counter()
    opened: list[int] = []
    end = 0
    for found in _PIECES.finditer(text):
        kind = found.lastgroup or ""
        if kind == "bracket" and (not variations or (found[0] == ")" and not opened)):
            continue
        kept.append(_keep(text[end : found.start()], unless=bool(opened)))
        end = found.end()
        if kind == "bracket":
            if found[0] == "(":
                counts[kind] += not opened
                opened.append(found.start())
            else:
                opened.pop()
        elif kind == "comment" and found[0].startswith("{") and not found[0].endswith("}"):
            raise _open_at(text, found.start())
        else:
            counts[kind] += not opened
        kept.append(_keep(found[0], unless=kind != "tag" or bool(opened)))
    if opened:
        raise _open_at(text, opened[0])
    kept.append(text[end:])
    remarks = (Message(code, number=counts[kind]) for kind, code in _LEFT_OUT.items() if counts[kind])
    return "".join(kept).replace("\ufeff", ""), tuple(remarks)


def _parts_of(text: str) -> Iterator[_Part]:
    part = _Part()
    for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")):
        tag = _TAG_LINE.match(line)
        if tag and part.has_moves:
            yield part
            part = _Part()
        if tag:
            part.tags[tag[1]] = read_value(tag[2])
        elif line.strip():
            part.has_moves = True
        part.lines.append(line)
    yield part


def _keep(text: str, *, unless: bool) -> str:
    """Return the text, or where it is left out, a space or its line breaks."""
    return ("\n" * text.count("\n") or " ") if unless else text


def _open_at(text: str, start: int) -> InvalidNotation:
    return InvalidNotation("note_open", sign=text[start]).within("on_line", line=text.count("\n", 0, start) + 1)
