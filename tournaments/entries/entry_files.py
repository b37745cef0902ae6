"""Read the text of a file with entrants, as spreadsheets write them: CSV in any usual encoding, or a workbook.

What of a workbook is not read is said.

Nothing is looked up or stored. How much a file may hold is bounded before it is unpacked.
"""

import codecs
import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.entries.entry_lists import UnreadableList, has_titles

MAX_FILE_SIZE = 1_000_000
"""The most bytes that a file may have."""

MAX_UNPACKED = 1_500_000
"""The most bytes of a workbook's parts, unpacked."""

MAX_UNPACKED_APART = 300_000
"""The most of these that are no cells, such as styles, which take much longer to be read."""

MAX_ROWS = 2_100
MAX_COLUMNS = 30
MAX_CELL_LENGTH = 200

WORKBOOK_START = b"PK\x03\x04"
CELLS = ("xl/worksheets/", "xl/sharedStrings.xml")
UTF_16_STARTS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class ListFile:
    """The text of a file, and sentences about what of the file is not in it."""

    text: str
    remarks: Sequence[str] = ()


def read_file(data: bytes) -> ListFile:
    """Return a file's text; of a workbook the cells of one sheet that are not hidden, as CSV.

    That is the first sheet which names a column of usernames, or else the first. Text is UTF-8, with or without a byte
    order mark, UTF-16 with one, or else Windows-1252, as Excel writes it. Raises ``ValueError`` with a sentence for
    what is too large, or neither a text nor a workbook.
    """
    if len(data) > MAX_FILE_SIZE:
        raise ValueError(_("This file is too large for a list of players."))
    return _read_workbook(data) if data.startswith(WORKBOOK_START) else ListFile(_decode(data))


def _decode(data: bytes) -> str:
    encodings = ["utf-16"] if data.startswith(UTF_16_STARTS) else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise ValueError(_("This file is neither a text nor an Excel workbook (.xlsx)."))


def _read_workbook(data: bytes) -> ListFile:
    from openpyxl import load_workbook  # noqa: PLC0415 - takes a second, and few need it

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_parts(archive.infolist())
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets = [_read_sheet(sheet) for sheet in book.worksheets if sheet.sheet_state == "visible"]
        sheets = [sheet for sheet in sheets if sheet.text.strip(",\r\n")] or sheets[:1]
        return _choose(sheets)
    except _TooLarge:
        raise ValueError(_("This workbook is too large for a list of players.")) from None
    except Exception:  # noqa: BLE001 - the library raises anything for a file that is broken on purpose
        raise ValueError(_("We cannot read this workbook.")) from None


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet: its title, its cells as CSV, and how many rows with cells are hidden."""

    title: str
    text: str
    hidden: int


def _read_sheet(sheet: Any) -> _Sheet:
    rows = [list(row) for row in sheet.iter_rows(max_row=MAX_ROWS, max_col=MAX_COLUMNS, values_only=True)]
    hidden = [number for number in _hidden_rows(sheet) if number <= len(rows) and any(map(_cell, rows[number - 1]))]
    for number in hidden:
        rows[number - 1] = []
    return _Sheet(sheet.title, _write_rows(rows), len(hidden))


def _hidden_rows(sheet: Any) -> list[int]:
    """Return the numbers of the rows that are hidden, which the library reads only with whole workbooks."""
    hidden, number = [], 0
    with sheet._get_source() as source:  # noqa: SLF001 - it knows where in the file the sheet lies
        for _event, row in ET.iterparse(source):  # noqa: S314 - nothing in it is expanded to more than it may have
            if row.tag.rpartition("}")[2] == "row":
                number = int(row.get("r") or number + 1)
                if row.get("hidden") in {"1", "true"}:
                    hidden.append(number)
    return hidden


def _choose(sheets: Sequence[_Sheet]) -> ListFile:
    """Return what is read of a workbook: the first sheet with a column of usernames, or the first of all."""
    chosen = next(filter(_has_titles, sheets), sheets[0])
    remarks = []
    if others := [f"“{each.title}”" for each in sheets if each is not chosen]:
        remarks.append(
            _("Only the sheet “%(sheet)s” was read, not %(others)s.")
            % {"sheet": chosen.title, "others": ", ".join(others)}
        )
    if chosen.hidden:
        remarks.append(
            ngettext("%d hidden row was not read.", "%d hidden rows were not read.", chosen.hidden) % chosen.hidden
        )
    return ListFile(chosen.text, remarks)


def _has_titles(sheet: _Sheet) -> bool:
    try:
        return has_titles(sheet.text)
    except UnreadableList:
        return True


class _TooLarge(Exception):
    """A workbook would take too much when it is unpacked."""


def _check_parts(parts: Iterable[zipfile.ZipInfo]) -> None:
    """Raise ``_TooLarge`` unless the parts that are read are small. More than its size nobody unpacks of a part."""
    sizes = {True: 0, False: 0}
    for part in parts:
        if part.filename.endswith((".xml", ".rels")):
            sizes[part.filename.startswith(CELLS)] += part.file_size
    if sizes[False] > MAX_UNPACKED_APART or sum(sizes.values()) > MAX_UNPACKED:
        raise _TooLarge


def _write_rows(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        cells = [_cell(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        writer.writerow(cells)
    return text.getvalue()


def _cell(value: Any) -> str:
    """Return what a cell shows, on one line; a whole number without a fraction."""
    if value is None:
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return " ".join(str(int(value) if whole else value)[:MAX_CELL_LENGTH].split())
