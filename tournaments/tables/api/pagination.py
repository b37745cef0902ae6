"""Pages of tables, of brackets and of ratings over the API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from rest_framework.pagination import Cursor
from rest_framework.request import Request

from tournaments.tables.selectors.records import BEST_FIRST
from tournaments.tables.selectors.tables import TableRow
from web.api.pagination import NewestFirst

P = TypeVar("P")


class ReadRows(Protocol):
    """Returns the rows of a table after the first ``start``, ``size`` at most, and whether more follow."""

    def __call__(self, *, start: int, size: int) -> tuple[list[TableRow], bool]:
        """Read them."""


class InOrder(NewestFirst):
    """Pages of at most 100 rows of a table, the best first; ``limit`` asks for fewer.

    A cursor says how many rows are in front of the page, or of the one after it.
    """

    def paginate_table(self, read_rows: ReadRows, request: Request) -> list[TableRow]:
        """Return the rows of the page that the request asks for."""
        self.base_url = request.build_absolute_uri()
        self.page_size = self.get_page_size(request)
        self.cursor = self.decode_cursor(request)
        offset, is_reverse, position = self.cursor or Cursor(0, False, None)
        bound = int(position or 0)
        self.start = max(0, bound - offset - self.page_size) if is_reverse else bound + offset
        self.end = max(0, bound - offset) if is_reverse else self.start + self.page_size
        rows, self.has_next = read_rows(start=self.start, size=self.end - self.start)
        return rows

    def get_next_link(self) -> str | None:
        """Return the URL of the page after this one."""
        return self.encode_cursor(Cursor(0, False, self.end)) if self.has_next else None

    def get_previous_link(self) -> str | None:
        """Return the URL of the page before this one."""
        return self.encode_cursor(Cursor(0, True, self.start)) if self.start else None


class PartByPart(NewestFirst):
    """Pages of a part each."""

    page_size_query_param = None

    def paginate_parts(self, parts: Sequence[P], request: Request) -> P:
        """Return the part that the request asks for, the first of them or the one after which there is none."""
        self.base_url = request.build_absolute_uri()
        cursor = self.decode_cursor(request)
        self.number = min(int((cursor and cursor.position) or 0), len(parts) - 1)
        self.number_of_parts = len(parts)
        return parts[self.number]

    def get_next_link(self) -> str | None:
        """Return the URL of the part after this one."""
        return self._link(self.number + 1)

    def get_previous_link(self) -> str | None:
        """Return the URL of the part before this one."""
        return self._link(self.number - 1)

    def _link(self, number: int) -> str | None:
        return self.encode_cursor(Cursor(0, False, number)) if 0 <= number < self.number_of_parts else None


class BestFirst(NewestFirst):
    """Pages of at most 100 ratings, the highest first; ``limit`` asks for fewer."""

    ordering = BEST_FIRST
    position_pattern = re.compile(r"[0-9]{1,5}\.[0-9]{4}")
