"""A column that dates the last change of what others see of a row, by the database's clock."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class ChangedAtField(models.DateTimeField):
    """The moment of the statement that saved the row: one clock for all processes.

    A new row that has a moment keeps it: Django inserts many rows quickly where all their values are known, and
    ``reserve_ids`` gives that of the database.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the moment that a new row has, and else the SQL function for it."""
        known = getattr(model_instance, self.attname)
        return known if add and isinstance(known, datetime) else Now()


class ChangingQuerySet(models.QuerySet[Any]):
    """Rows that are dated when one of the ``SEEN`` fields of their model is updated."""

    def update(self, **fields: Any) -> int:
        """Update the rows, date them if others see the change, and return their number."""
        if not self.model.SEEN.isdisjoint(fields):
            fields["changed_at"] = Now()
        return super().update(**fields)


class Changing(models.Model):
    """A row whose changes are published.

    ``changed_at`` moves when one of the ``SEEN`` fields is written. It is the moment of the statement, not of the
    commit, so a query for changes since a moment must begin a little earlier.
    """

    SEEN: ClassVar[frozenset[str]]

    changed_at = ChangedAtField(_("changed"), db_default=Now(), editable=False)

    objects = models.Manager.from_queryset(ChangingQuerySet)()

    class Meta:
        abstract = True
