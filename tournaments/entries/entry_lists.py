"""Parse a list of entrants: CSV with a username and an optional seed a line. Pure: nothing is looked up or stored.

Its faults are codes and parameters.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from players.usernames import PATTERN

MAX_LIST_SIZE = 100_000
"""The most characters that a list may have."""

MAX_LINES = 2_000
MAX_TITLE_LINES = 20
"""The most lines with something in them that may stand above the names of the columns."""

MAX_SHOWN = 100
"""The most characters that are kept of what was written in place of a username or a seed."""

MAX_SEED = 1_000_000
USERNAMES = frozenset({"username", "user", "player", "players", "name"})
SEEDS = frozenset({"seed", "seeds"})
EXPORTED = frozenset({"status", "entered_at"})
"""The further columns by which an exported list is known."""

LEFT = frozenset({"gone", "replaced"})
"""The words in the status column of an exported list for those who do not play any more."""

SEPARATORS = (";", "\t", ",")
QUOTED_STARTS = tuple(f"'{start}" for start in ("=", "+", "-", "@"))
"""The beginnings, in exports, of texts that a spreadsheet would compute."""


class ListFault(StrEnum):
    """The ways in which a list, or a line of it, cannot be taken."""

    TOO_LONG = "too-long"
    UNSTORABLE = "unstorable"
    TOO_MANY_LINES = "too-many-lines"

    UNREADABLE_LINE = "unreadable-line"
    MORE_THAN_A_SEED = "more-than-a-seed"
    NO_USERNAME = "no-username"
    NO_SEED = "no-seed"
    SAME_PLAYER = "same-player"
    SAME_SEED = "same-seed"


class UnreadableList(ValueError):
    """A text that is no list at all, or too long, by its fault."""

    def __init__(self, fault: ListFault) -> None:
        super().__init__(f"no list of entrants: {fault}")
        self.fault = fault


@dataclass(frozen=True, slots=True)
class ListedEntrant:
    """One line: its number from 1, the username as it was written, and the seed if one was given.

    ``fault`` is why the line cannot be taken, ``first_line`` the number of the line that has the same player or seed,
    and ``written_seed`` what it has in place of a seed. ``has_unused_seed`` where a seed stands in it that is not read.
    """

    line: int
    username: str
    seed: int | None = None
    fault: ListFault | None = None
    first_line: int | None = None
    written_seed: str = ""
    has_unused_seed: bool = False

    @property
    def seed_text(self) -> str:
        """Return the seed as it was written, empty where there is none."""
        return self.written_seed or ("" if self.seed is None else str(self.seed))


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a list, by number from 0, and what separates them; ``None`` where none are named."""

    username: int = 0
    seed: int | None = 1
    status: int | None = None
    separator: str | None = None
    is_exported: bool = False


def read_entry_list(text: str, *, reads_seeds: bool = True) -> list[ListedEntrant]:
    """Return the entrants in the order of their lines, those among them that have a fault.

    With ``reads_seeds`` off their seeds are of no use: whatever stands there is left out.

    Commas, semicolons or tabs may separate. Empty lines are skipped, and so are the names of the columns with whatever
    stands above them. Without such names a line is a username and a seed; with them it can have other columns, too,
    such as those of an export; players who had left there are left out. Raises ``UnreadableList`` for what is no list
    at all, or too long.
    """
    if len(text) > MAX_LIST_SIZE:
        raise UnreadableList(ListFault.TOO_LONG)
    if "\0" in text:
        raise UnreadableList(ListFault.UNSTORABLE)
    lines = [
        (number, line)
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
        if line.strip(" \t,;")
    ]
    columns, first = _find_columns(lines)
    entrants = list(_read_lines(lines[first:], columns, reads_seeds))
    if len(entrants) > MAX_LINES:
        raise UnreadableList(ListFault.TOO_MANY_LINES)
    return _without_doubles(entrants)


def write_entry_list(entrants: Iterable[ListedEntrant]) -> str:
    """Return entrants as a list of usernames and seeds, in which each has the number of line that it had."""
    lines = {entrant.line: _write_line(entrant.username, entrant.seed_text) for entrant in entrants}
    return "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))


def edit_entry_list(text: str, edits: Mapping[int, tuple[str, str]]) -> str:
    """Return a list that was written so with other usernames and seeds in these lines; one without a username is out.

    Every line keeps its number.
    """
    lines = text.splitlines()
    for number, (username, seed) in edits.items():
        if 1 <= number <= len(lines):
            lines[number - 1] = _write_line(username, seed) if username.strip() else ""
    return "\n".join(lines)


def _write_line(username: str, seed: str) -> str:
    text = io.StringIO()
    cells = [" ".join(cell.split()) for cell in (username, seed)]
    csv.writer(text, lineterminator="").writerow(cells if cells[1] else cells[:1])
    return text.getvalue()


def _find_columns(lines: list[tuple[int, str]]) -> tuple[_Columns, int]:
    """Return where the columns are, and how many lines stand above the first entrant."""
    for index, (_number, line) in enumerate(lines[: MAX_TITLE_LINES + 1]):
        separator = _separator_of(line)
        names = [name.lower() for name in _split(line, separator) or []]
        username = _place_of(USERNAMES, names)
        if username is not None and not any(name.isdigit() for name in names):
            if len(names) == 1:
                return _Columns(), index + 1
            return _Columns(
                username,
                # Groups have seeds of their own.
                None if "group" in names else _place_of(SEEDS, names),
                _place_of({"status"}, names),
                separator,
                is_exported={*names} >= EXPORTED,
            ), index + 1
        if names and PATTERN.fullmatch(names[0]):
            # It names somebody, so what comes is no name of a column.
            break
    return _Columns(), 0


def _place_of(names: Iterable[str], titles: list[str]) -> int | None:
    return next((index for index, title in enumerate(titles) if title in names), None)


def _separator_of(line: str) -> str:
    """Return the first character outside of quotes that may separate cells, a comma where there is none."""
    is_quoted = False
    for character in line:
        if character == '"':
            is_quoted = not is_quoted
        elif character in SEPARATORS and not is_quoted:
            return character
    return ","


def _split(line: str, separator: str) -> list[str] | None:
    """Return the cells of a line, ``None`` if it cannot be read."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, strict=True))]
    except (csv.Error, StopIteration):
        return None


def _read_lines(lines: Iterable[tuple[int, str]], columns: _Columns, reads_seeds: bool) -> Iterator[ListedEntrant]:
    for number, line in lines:
        named = columns.separator
        cells = _split(line, named if named is not None and named in line else _separator_of(line))
        if cells is None:
            yield ListedEntrant(number, line.strip()[:MAX_SHOWN], fault=ListFault.UNREADABLE_LINE)
        elif not (columns.is_exported and _cell(cells, columns.status) in LEFT):
            yield _read_cells(number, cells, columns, reads_seeds)


def _read_cells(number: int, cells: list[str], columns: _Columns, reads_seeds: bool) -> ListedEntrant:
    username = _cell(cells, columns.username)
    username = username[1:] if username.startswith(QUOTED_STARTS) else username
    seed = _cell(cells, columns.seed)
    entrant = ListedEntrant(number, username[:MAX_SHOWN], has_unused_seed=bool(seed) and not reads_seeds)
    if columns.separator is None and any(cells[2:]):
        return replace(entrant, fault=ListFault.MORE_THAN_A_SEED, written_seed=cells[1][:MAX_SHOWN])
    seed = seed if reads_seeds else ""
    if not PATTERN.fullmatch(username):
        return replace(entrant, fault=ListFault.NO_USERNAME, written_seed=seed[:MAX_SHOWN])
    if not seed:
        return entrant
    if not (seed.isascii() and seed.isdigit() and len(seed) < 10 and 1 <= int(seed) <= MAX_SEED):
        return replace(entrant, fault=ListFault.NO_SEED, written_seed=seed[:MAX_SHOWN])
    return replace(entrant, seed=int(seed))


def _cell(cells: list[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""


def _without_doubles(entrants: list[ListedEntrant]) -> list[ListedEntrant]:
    """Return the entrants; of those that name somebody, or a seed, a second time, with that fault."""
    named: dict[str, int] = {}
    seeded: dict[int, int] = {}
    judged = []
    for entrant in entrants:
        fault, first = entrant.fault, None
        if fault is None:
            first = named.setdefault(entrant.username.lower(), entrant.line)
            if first != entrant.line:
                fault = ListFault.SAME_PLAYER
            elif entrant.seed is not None:
                first = seeded.setdefault(entrant.seed, entrant.line)
                fault = ListFault.SAME_SEED if first != entrant.line else None
        judged.append(replace(entrant, fault=fault, first_line=first if fault else None))
    return judged
