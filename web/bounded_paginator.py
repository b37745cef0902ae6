"""A paginator for lists of any length."""

from __future__ import annotations

from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property

MAX_COUNTED = 10_000


class BoundedPaginator(Paginator):
    """Counts at most ``MAX_COUNTED`` rows; older ones are found by searching or filtering.

    Rows in front of a page are passed over by their keys alone: only those on it are joined to others.
    """

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most ``MAX_COUNTED``."""
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[:MAX_COUNTED].count()

    def page(self, number: int | str) -> Page[Any]:
        """Return a page; raises ``InvalidPage`` where there is none. One query."""
        page = super().page(number)
        rows = cast("QuerySet[Any]", self.object_list)
        start, end = (page.number - 1) * self.per_page, page.number * self.per_page
        if start:
            page.object_list = rows.filter(pk__in=rows.values("pk")[start:end])
        return page
