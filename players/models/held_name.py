"""Names of accounts that were deleted, as long as nobody can take them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class HeldName(models.Model):
    """A username that nobody can take yet, and with it those that look like it.

    Only a keyed hash of how it looks is kept, and nothing of whose it was.
    """

    digest = models.CharField(_("digest"), max_length=64, unique=True)
    held_until = models.DateTimeField(_("until"), db_index=True)

    class Meta:
        verbose_name = _("held name")
        verbose_name_plural = _("held names")
        ordering: ClassVar[list[str]] = ["pk"]

    def __str__(self) -> str:
        return self.digest
