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
        """Return the number of rows, at most ``MAX_COUNTED``.

        Those of a whole table are counted by the index of its keys from the oldest on: they hardly change any more, so
        that PostgreSQL need not look at the rows.
        """
        rows = cast("QuerySet[Any]", self.object_list)
        counted = rows.order_by() if rows.query.where else rows.order_by("pk")
        return counted[:MAX_COUNTED].count()

    def page(self, number: int | str) -> Page[Any]:
        """Return a page; raises ``InvalidPage`` where there is none. One query, and one more behind the first page."""
        page = super().page(number)
        rows = cast("QuerySet[Any]", self.object_list)
        start, end = (page.number - 1) * self.per_page, page.number * self.per_page
        if start:
            # PostgreSQL would join all rows first to those of a subquery, where there are many joins.
            page.object_list = rows.filter(pk__in=list(rows.values_list("pk", flat=True)[start:end]))
        return page
