"""Parse a list of entrants: CSV lines of a username and an optional seed. Pure: nothing is looked up or stored."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from players.usernames import MAX_LENGTH, PATTERN

MAX_LIST_SIZE = 100_000
"""The most characters that a list may have."""

MAX_LINES = 2_000
MAX_SEED = 1_000_000
HEADERS = {"username", "player", "name"}
SEPARATORS = (";", "\t")


@dataclass(frozen=True, slots=True)
class ListedEntrant:
    """One line: its number from 1, the username as it was written, and the seed if one was given.

    ``fault`` is a sentence where the line cannot be taken.
    """

    line: int
    username: str
    seed: int | None = None
    fault: str = ""


def read_entry_list(text: str) -> list[ListedEntrant]:
    """Return the entrants in the order of their lines, those among them that have a fault.

    Commas, semicolons or tabs may separate; empty lines and a line of titles are skipped. Raises
    ``ValueError`` with a sentence for what is no list at all, or too long.
    """
    if len(text) > MAX_LIST_SIZE:
        raise ValueError("This list is too long.")
    if "\0" in text:
        raise ValueError("The list contains characters that no text can have.")
    entrants = list(_read_lines(text))
    if len(entrants) > MAX_LINES:
        raise ValueError(f"A list can have at most {MAX_LINES} lines.")
    return _without_doubles(entrants)


def _read_lines(text: str) -> Iterator[ListedEntrant]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip():
            continue
        for separator in SEPARATORS:
            line = line.replace(separator, ",")  # noqa: PLW2901 - one character for another
        try:
            cells = [cell.strip() for cell in next(csv.reader([line], strict=True))]
        except (csv.Error, StopIteration):
            yield ListedEntrant(number, line.strip()[:MAX_LENGTH], fault="We cannot read this line.")
            continue
        if number == 1 and cells[0].lower() in HEADERS:
            continue
        yield _read_cells(number, cells)


def _read_cells(number: int, cells: list[str]) -> ListedEntrant:
    username, seed, *more = [*cells, ""]
    if any(more):
        return ListedEntrant(
            number, username[:MAX_LENGTH], fault="A line can have a username and a seed, nothing else."
        )
    if not PATTERN.fullmatch(username):
        return ListedEntrant(number, username[:MAX_LENGTH], fault="This is not a username.")
    if not seed:
        return ListedEntrant(number, username)
    if not (seed.isascii() and seed.isdigit() and len(seed) < 10 and 1 <= int(seed) <= MAX_SEED):
        return ListedEntrant(number, username, fault=f"The seed must be a number from 1 to {MAX_SEED}.")
    return ListedEntrant(number, username, int(seed))


def _without_doubles(entrants: list[ListedEntrant]) -> list[ListedEntrant]:
    """Return the entrants; of those that name somebody, or a seed, a second time, with that fault."""
    named: dict[str, int] = {}
    seeded: dict[int, int] = {}
    judged = []
    for entrant in entrants:
        fault = entrant.fault
        if not fault:
            first = named.setdefault(entrant.username.lower(), entrant.line)
            if first != entrant.line:
                fault = f"This player is already in line {first}."
            elif entrant.seed is not None and seeded.setdefault(entrant.seed, entrant.line) != entrant.line:
                fault = f"Line {seeded[entrant.seed]} already has this seed."
        judged.append(ListedEntrant(entrant.line, entrant.username, entrant.seed, fault))
    return judged
