"""Pages of a list of any length, the newest first or in another order: each is found by its keys, also the last."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)

LAST = "last"
NEWEST_FIRST = ("-pk",)
OLDEST_FIRST = ("pk",)

_POSITION = re.compile(r"(after|before)((?:-[0-9]{1,18}(?:\.[0-9]{1,9})?)+)")


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[M]):
    """The rows of a page, and the positions of the pages before and after it: empty where there is none."""

    object_list: list[M]
    previous: str
    next: str

    def __iter__(self) -> Iterator[M]:
        """Yield the rows."""
        return iter(self.object_list)


def keyset_page(
    rows: QuerySet[M, Any], position: str | None, *, size: int, order: tuple[str, ...] = NEWEST_FIRST
) -> KeysetPage[M]:
    """Return the page of rows at a position: ``after-17`` or ``before-17``, keys of other pages, or ``last``.

    The order is by columns of numbers, at most two, which no two rows share and none lacks; a position names them all.
    Anything else is the first page, and so is what would begin in it; behind the end is the last one. One query, two
    in these cases.
    """
    backwards = tuple((each.removeprefix("-") if each.startswith("-") else f"-{each}") for each in order)
    way, values = _read_position(rows.model, position, order)
    if way == "before":
        page = list(rows.filter(_beyond(backwards, values)).order_by(*backwards)[: size + 1])
        if len(page) > size:
            return _page(page[size - 1 :: -1], order, has_previous=True, has_next=True)
    elif way == "after":
        page = list(rows.filter(_beyond(order, values)).order_by(*order)[: size + 1])
        if page:
            return _page(page[:size], order, has_previous=True, has_next=len(page) > size)
    if position == LAST or way == "after":
        page = list(rows.order_by(*backwards)[: size + 1])
        if len(page) > size:
            return _page(page[size - 1 :: -1], order, has_previous=True, has_next=False)
    page = list(rows.order_by(*order)[: size + 1])
    return _page(page[:size], order, has_previous=False, has_next=len(page) > size)


def _read_position(model: type[Model], position: str | None, order: tuple[str, ...]) -> tuple[str, list[Any]]:
    """Return the way from a row, and its keys; the way is empty for what names no row."""
    found = _POSITION.fullmatch(position or "")
    texts = found[2].split("-")[1:] if found else []
    if found is None or len(texts) != len(order):
        return "", []
    try:
        return found[1], [_read_key(model, column, text) for column, text in zip(order, texts, strict=True)]
    except ValidationError:
        return "", []


def _read_key(model: type[Model], column: str, text: str) -> Any:
    """Return the value of a column; raises ``ValidationError`` for what it cannot have."""
    name = column.removeprefix("-")
    field: Any = model._meta.pk if name == "pk" else model._meta.get_field(name)  # noqa: SLF001 - what Django documents
    value = field.to_python(text)
    field.run_validators(value)
    return value


def _beyond(order: tuple[str, ...], values: list[Any]) -> Q:
    """Return the condition of the rows that come after these values in an order.

    The first column is compared by itself, too: an index on it then says where to begin.
    """
    column, way = order[0].removeprefix("-"), "lt" if order[0].startswith("-") else "gt"
    if len(order) == 1:
        return Q(**{f"{column}__{way}": values[0]})
    rest = Q(**{f"{column}__{way}": values[0]}) | _beyond(order[1:], values[1:])
    return Q(**{f"{column}__{way}e": values[0]}) & rest


def _page(rows: list[M], order: tuple[str, ...], *, has_previous: bool, has_next: bool) -> KeysetPage[M]:
    def key(row: M) -> str:
        return "-".join(str(getattr(row, column.removeprefix("-"))) for column in order)

    return KeysetPage(
        rows,
        f"before-{key(rows[0])}" if has_previous else "",
        f"after-{key(rows[-1])}" if has_next else "",
    )
