"""A paginator for lists of any length."""

import time
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.utils.functional import cached_property

MAX_COUNTED = 10_000

RECOUNT_DELAY = 3600
"""The number of seconds for which a process assumes that a whole table still has ``MAX_COUNTED`` rows."""

RECOUNT_AT: dict[type[Model], float] = {}
"""The tables that had ``MAX_COUNTED`` rows, and when each is counted again, by the monotonic clock."""


class BoundedPaginator(Paginator):
    """Counts at most ``MAX_COUNTED`` rows; older ones are found by searching or filtering.

    Rows in front of a page are passed over by their keys alone: only those on it are joined to others.
    """

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most ``MAX_COUNTED``.

        Those of a whole table are counted by the index of its keys from the oldest on: they hardly change any more, so
        that PostgreSQL need not look at the rows. A table of ``MAX_COUNTED`` is counted once in ``RECOUNT_DELAY``.
        """
        rows = cast("QuerySet[Any]", self.object_list)
        if rows.query.where:
            return rows.order_by()[:MAX_COUNTED].count()
        if time.monotonic() < RECOUNT_AT.get(rows.model, 0):
            return MAX_COUNTED
        counted = rows.order_by("pk")[:MAX_COUNTED].count()
        if counted == MAX_COUNTED:
            RECOUNT_AT[rows.model] = time.monotonic() + RECOUNT_DELAY
        return counted

    def page(self, number: int | str) -> Page[Any]:
        """Return a page; raises ``InvalidPage`` where there is none. One query, and one more behind the first page."""
        page = super().page(number)
        rows = cast("QuerySet[Any]", self.object_list)
        start, end = (page.number - 1) * self.per_page, page.number * self.per_page
        if start:
            # PostgreSQL would join all rows first to those of a subquery, where there are many joins.
            page.object_list = rows.filter(pk__in=list(rows.values_list("pk", flat=True)[start:end]))
        return page
