"""A column that counts the rows of a subquery."""

from typing import Any

from django.db.models import Count, IntegerField, QuerySet, Subquery
from django.db.models.functions import Coalesce


def count_rows(rows: QuerySet[Any, Any], *, by: str) -> Coalesce:
    """Return the number of these rows as a column, 0 for none. All of them have the same value in the column ``by``."""
    counted = rows.order_by().values(by).annotate(number=Count("*")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
