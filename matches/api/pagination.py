"""Lists by pages."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request


class NewestFirst(CursorPagination):
    """Pages of at most 100, the newest first; ``limit`` asks for fewer."""

    ordering: str | tuple[str, ...] = "-id"
    page_size = 100
    max_page_size = 100
    page_size_query_param = "limit"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor that the client sent back; raises ``NotFound`` if it is none of ours."""
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and not _is_id(cursor.position):
            raise NotFound(self.invalid_cursor_message)
        return cursor


def _is_id(position: Any) -> bool:
    text = str(position)
    return text.isascii() and text.isdigit() and len(text) < 19
