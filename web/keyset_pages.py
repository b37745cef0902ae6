"""Pages of a list of any length, the highest key first: each is found by its keys, the last one from the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)

LAST = "last"

_POSITION = re.compile(r"(after|before)-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[M]):
    """The rows of a page, and the positions of the pages before and after it: empty where there is none."""

    object_list: list[M]
    previous: str
    next: str

    def __iter__(self) -> Iterator[M]:
        """Yield the rows."""
        return iter(self.object_list)


def keyset_page(rows: QuerySet[M, Any], position: str | None, *, size: int) -> KeysetPage[M]:
    """Return the page of rows at a position: ``after-17`` or ``before-17``, keys of other pages, or ``last``.

    Anything else is the first page, and so is what would begin in it; behind the end is the last one. One query, two
    in these cases.
    """
    found = _POSITION.fullmatch(position or "")
    upwards = rows.order_by("pk")
    if found and found[1] == "before":
        page = list(upwards.filter(pk__gt=int(found[2]))[: size + 1])
        if len(page) > size:
            return _page(page[size - 1 :: -1], has_previous=True, has_next=True)
    elif found:
        page = list(rows.order_by("-pk").filter(pk__lt=int(found[2]))[: size + 1])
        if page:
            return _page(page[:size], has_previous=True, has_next=len(page) > size)
    if position == LAST or (found and found[1] == "after"):
        page = list(upwards[: size + 1])
        if len(page) > size:
            return _page(page[size - 1 :: -1], has_previous=True, has_next=False)
    page = list(rows.order_by("-pk")[: size + 1])
    return _page(page[:size], has_previous=False, has_next=len(page) > size)


def _page(rows: list[M], *, has_previous: bool, has_next: bool) -> KeysetPage[M]:
    return KeysetPage(
        rows,
        f"before-{rows[0].pk}" if has_previous else "",
        f"after-{rows[-1].pk}" if has_next else "",
    )
