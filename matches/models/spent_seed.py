"""Seeds of dice that everybody has seen."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from matches.models.match import Match


class SpentSeed(models.Model):
    """A seed that was shown when its match had ended, before the match went on: further rolls need another one.

    ``rolls`` is how many rolls the match had then. Those that no earlier seed has given are this one's. ``seed`` is in
    hexadecimal.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="spent_seeds")
    rolls = models.PositiveIntegerField(_("rolls until then"))
    seed = models.CharField(_("seed"), max_length=64)
    commitment = models.CharField(_("commitment"), max_length=64)

    class Meta:
        verbose_name = _("spent seed")
        verbose_name_plural = _("spent seeds")
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return self.commitment
