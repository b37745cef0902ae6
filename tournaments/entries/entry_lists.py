"""Parse a list of entrants: CSV with a username and an optional seed a line. Pure: nothing is looked up or stored.

Its faults are codes and parameters.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
USERNAMES = (frozenset({"username", "user name", "user"}), frozenset({"player", "players"}), frozenset({"name"}))
"""The titles of the column with the usernames, the surest first."""

NAMES = re.compile(r"name|naam|^(first|last|given|family|imię|nazwisko|jméno|příjmení)$")
"""What the titles of columns with people's names have in them: beside these “name” may be a surname."""

SEEDS = frozenset({"seed", "seeds"})
EXPORTED = frozenset({"status", "entered_at"})
"""The further columns by which an exported list is known."""

LEFT = frozenset({"gone", "replaced"})
"""The words in the status column of an exported list for those who do not play any more."""

SEPARATORS = (";", "\t", ",")
DECLARED = re.compile(r"sep=([^\w\s\"]|\t)[ ;,\t]*(\r\n?|\n|\Z)", re.IGNORECASE)
"""The first line in which some spreadsheets say what separates cells."""

QUOTED_STARTS = tuple(f"'{start}" for start in ("=", "+", "-", "@"))
"""The beginnings, in exports, of texts that a spreadsheet would compute."""


class ListFault(StrEnum):
    """The ways in which a list, or a line of it, cannot be taken."""

    TOO_LONG = "too-long"
    UNSTORABLE = "unstorable"
    TOO_MANY_LINES = "too-many-lines"
    UNREADABLE_LINE = "unreadable-line"
    UNSURE_COLUMN = "unsure-column"

    MORE_THAN_A_SEED = "more-than-a-seed"
    NO_USERNAME = "no-username"
    NO_SEED = "no-seed"
    SAME_PLAYER = "same-player"
    SAME_SEED = "same-seed"


class UnreadableList(ValueError):
    """A text that is no list at all, or too long, by its fault, the ``line`` of that, or a column's ``title``."""

    def __init__(self, fault: ListFault, *, line: int | None = None, title: str = "") -> None:
        super().__init__(f"no list of entrants: {fault}")
        self.fault, self.line, self.title = fault, line, title


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
    """The columns of a list, by number from 0; ``None`` for those that there are not."""

    username: int = 0
    seed: int | None = 1
    status: int | None = None
    is_exported: bool = False
    are_named: bool = False


def read_entry_list(text: str, *, reads_seeds: bool = True) -> list[ListedEntrant]:
    """Return the entrants in the order of their lines, those among them that have a fault.

    With ``reads_seeds`` off their seeds are of no use: whatever stands there is left out.

    Commas, semicolons or tabs may separate, or what the first line says. Cells in quotation marks may have line breaks.
    Empty lines are skipped, and so are the names of the columns with whatever stands above them. Without such names a
    line is a username and a seed; with them it can have other columns, too, such as those of an export; players who had
    left there are left out. Raises ``UnreadableList`` for what is no list at all, or too long, and where it is not sure
    where a line ends or which column has the usernames.
    """
    if len(text) > MAX_LIST_SIZE:
        raise UnreadableList(ListFault.TOO_LONG)
    if "\0" in text:
        raise UnreadableList(ListFault.UNSTORABLE)
    rows, columns = _find_rows(text.removeprefix("\ufeff"))
    entrants = list(_read_rows(rows, columns, reads_seeds))
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
    if not edits:
        return text
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


def declared_separator(text: str) -> str:
    """Return what separates the cells of a list as its first line says, empty where that says nothing of it."""
    declared = DECLARED.match(text.removeprefix("\ufeff"))
    return declared[1] if declared else ""


def has_titles(text: str) -> bool:
    """Return whether a list names its column of usernames. Raises ``UnreadableList``."""
    return _find_rows(text)[1] is not UNNAMED


Row = tuple[int, list[str]]
"""The number of the line in which it begins, from 1, and its cells."""

UNNAMED = _Columns()


def _find_rows(text: str) -> tuple[list[Row], _Columns]:
    """Return the rows below the names of the columns, and what these are; all rows where none are named.

    Raises ``UnreadableList``.
    """
    declared = declared_separator(text)
    usual = declared or _separator_of(text)
    for separator in [usual, *(each for each in SEPARATORS if each != usual and not declared)]:
        try:
            rows = _split(text, separator)
        except UnreadableList:
            continue
        titled = _find_titles(rows)
        if titled is not None:
            index, columns = titled
            return rows[index + 1 :], columns
    return _split(text, usual)[1 if declared else 0 :], UNNAMED


def _find_titles(rows: Sequence[Row]) -> tuple[int, _Columns] | None:
    """Return which of the rows names the columns, and what these are; ``None`` if none of the first ones does.

    A word alone may be the title of the whole list. Raises ``UnreadableList`` where several columns may have usernames.
    """
    alone = None
    for index, (_number, cells) in enumerate(rows[: MAX_TITLE_LINES + 1]):
        columns = _find_columns(cells)
        if columns is not None and columns.are_named:
            return index, columns
        if columns is not None and alone is None:
            alone = index, columns
        elif PATTERN.fullmatch(cells[0]):
            # It names somebody, so what comes is no name of a column.
            break
    return alone


def _find_columns(titles: Sequence[str]) -> _Columns | None:
    """Return the columns that have these titles, ``None`` if none of them is that of the usernames.

    Raises ``UnreadableList`` where several columns may have them.
    """
    names = [title.lower() for title in titles]
    found = next((found for known in USERNAMES if (found := [name for name in names if name in known])), [])
    if not found or any(name.isdigit() for name in names):
        return None
    if len(names) == 1:
        return _Columns()
    title = found[0]
    others = [name for name in names if name != title]
    if len(found) > 1 or (title in USERNAMES[-1] and any(NAMES.search(name) for name in others)):
        raise UnreadableList(ListFault.UNSURE_COLUMN, title=titles[names.index(title)])
    return _Columns(
        names.index(title),
        # Groups have seeds of their own.
        None if "group" in names else next((n for n, name in enumerate(names) if name in SEEDS), None),
        names.index("status") if "status" in names else None,
        is_exported={*names} >= EXPORTED,
        are_named=True,
    )


def _separator_of(text: str) -> str:
    """Return the first character outside of quotes that may separate cells, a comma where there is none."""
    is_quoted = False
    for character in text:
        if character == '"':
            is_quoted = not is_quoted
        elif character in SEPARATORS and not is_quoted:
            return character
    return ","


def _split(text: str, separator: str) -> list[Row]:
    """Return the rows in which something stands. Raises ``UnreadableList`` for quotation marks that make no cells.

    What follows such a mark may be part of a cell, so that nobody can be entered from there.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[Row] = []
    number = 1
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return rows
        except csv.Error:
            raise UnreadableList(ListFault.UNREADABLE_LINE, line=number) from None
        if len(cells) == 1 and '"' not in text:
            # Typed by hand, perhaps with another separator than the other lines.
            cells = [cell.strip() for cell in cells[0].split(_separator_of(cells[0]))]
        if any(cells):
            rows.append((number, cells))
        number = reader.line_num + 1


def _read_rows(rows: Iterable[Row], columns: _Columns, reads_seeds: bool) -> Iterator[ListedEntrant]:
    for number, cells in rows:
        if not (columns.is_exported and _cell(cells, columns.status) in LEFT):
            yield _read_cells(number, cells, columns, reads_seeds)


def _read_cells(number: int, cells: list[str], columns: _Columns, reads_seeds: bool) -> ListedEntrant:
    username = _cell(cells, columns.username)
    username = username[1:] if username.startswith(QUOTED_STARTS) else username
    seed = _cell(cells, columns.seed)
    entrant = ListedEntrant(number, username[:MAX_SHOWN], has_unused_seed=bool(seed) and not reads_seeds)
    if not columns.are_named and any(cells[2:]):
        return replace(entrant, fault=ListFault.MORE_THAN_A_SEED, written_seed=cells[1][:MAX_SHOWN])
    if columns.are_named and not reads_seeds:
        seed = ""
    if not PATTERN.fullmatch(username):
        return replace(entrant, fault=ListFault.NO_USERNAME, written_seed=seed[:MAX_SHOWN])
    if not seed:
        return entrant
    if not (seed.isascii() and seed.isdigit() and len(seed) < 10 and 1 <= int(seed) <= MAX_SEED):
        # Where nobody has said that it is a seed, the username may be the wrong one of the two.
        return replace(entrant, fault=ListFault.NO_SEED, written_seed=seed[:MAX_SHOWN])
    return replace(entrant, seed=int(seed)) if reads_seeds else entrant


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
