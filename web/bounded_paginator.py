"""A paginator for lists of any length."""

from __future__ import annotations

from typing import Any, cast

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property

MAX_COUNTED = 10_000


class BoundedPaginator(Paginator):
    """Counts at most ``MAX_COUNTED`` rows; older ones are found by searching or filtering."""

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most ``MAX_COUNTED``."""
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[:MAX_COUNTED].count()
