"""Cursor pagination of the API's lists."""

import re
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

LIMIT = "limit"

MOMENT = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{6})?\+00:00")
"""The pattern of positions in lists that are ordered by moments."""

M = TypeVar("M", bound=Model)


class NewestFirst(CursorPagination):
    """Pages of at most 100 entries, the newest first; ``limit`` asks for fewer."""

    ordering: str | tuple[str, ...] = "-id"
    page_size = 100
    max_page_size = 100
    page_size_query_param: str | None = LIMIT
    page_size_query_description = "How many entries the page has at most."
    cursor_query_description = "Where the page begins: follow the URLs in `next` and `previous`."
    position_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]{1,18}")
    """The type of a cursor's position: PostgreSQL compares rows with nothing else."""

    def get_page_size(self, request: Request) -> int:
        """Return how many entries a page has; raises ``ValidationError`` for a ``limit`` that is out of range."""
        limit = request.query_params.get(LIMIT)
        if limit is None:
            return self.page_size
        if not (re.fullmatch(r"[0-9]{1,9}", limit) and 1 <= int(limit) <= self.max_page_size):
            sentence = _("The limit must be a whole number from 1 to %(most)d.") % {"most": self.max_page_size}
            raise ValidationError({LIMIT: [sentence]})
        return int(limit)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of a page whose results have this schema."""
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": {**link, "description": "The URL of the next page, null on the last one."},
                "previous": {**link, "description": "The URL of the page before, null on the first one."},
                "results": schema,
            },
        }

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor that the client sent back; raises ``ValidationError`` if this site did not make it."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise self._unknown_cursor() from None
        if cursor is not None and not self._is_ours(cursor):
            raise self._unknown_cursor()
        return cursor

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the parameters as the API's description has them."""
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == LIMIT:
                parameter["schema"] |= {"minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
        return parameters

    def _is_ours(self, cursor: Cursor) -> bool:
        if cursor.position is None:
            return bool(cursor.offset or cursor.reverse)
        return self.position_pattern.fullmatch(str(cursor.position)) is not None

    def _unknown_cursor(self) -> ValidationError:
        sentence = _("This cursor is not valid. Follow the URLs in `next` and `previous`.")
        return ValidationError({self.cursor_query_param: [sentence]})


class KeysFirst(NewestFirst):
    """The same pages, of rows that are shown with many others: the keys of a page are read first.

    PostgreSQL would join all rows before it sorts them.
    """

    def paginate_keys(
        self, rows: QuerySet[M], request: Request, *, read: Callable[[QuerySet[M]], QuerySet[M]]
    ) -> list[M]:
        """Return the page that the request asks for, as ``read`` joins its rows. One query more than for its keys."""
        keys = [row["id"] for row in self.paginate_queryset(rows.values("id"), request) or []]
        found = rows.model._default_manager.filter(pk__in=keys)  # noqa: SLF001 - what Django documents
        return list(read(found).order_by("-pk")) if keys else []
