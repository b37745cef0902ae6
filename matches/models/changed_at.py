"""When what others see of a row changed last, by the database's clock: a column that no UPDATE forgets."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class ChangedAtField(models.DateTimeField):
    """The moment of the statement that saved the row: one clock for all processes."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return what gives the moment in SQL."""
        return Now()


class ChangingQuerySet(models.QuerySet[Any]):
    """Rows that are dated when one of the ``SEEN`` fields of their model is updated."""

    def update(self, **fields: Any) -> int:
        """Return the number of rows, as every ``update`` does."""
        if not self.model.SEEN.isdisjoint(fields):
            fields["changed_at"] = Now()
        return super().update(**fields)


class Changing(models.Model):
    """A row of which others are told when it changes.

    ``changed_at`` moves when one of the ``SEEN`` fields is written. It is the moment of the statement, not of the
    commit: who asks for what has changed since a moment must look back a little further.
    """

    SEEN: ClassVar[frozenset[str]]

    changed_at = ChangedAtField(_("changed"), db_default=Now(), editable=False)

    objects = models.Manager.from_queryset(ChangingQuerySet)()

    class Meta:
        abstract = True
