"""Time that an organiser has given to a side of a match."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from matches.models.match import SIDES, Match


class ClockExtension(models.Model):
    """Time given to a side when the match had come to ``ply``: the moves alone cannot tell the clocks then."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="clock_extensions")
    ply = models.PositiveIntegerField(_("ply"))
    side = models.CharField(_("side"), max_length=6, choices=[(side, side) for side in SIDES])
    milliseconds = models.PositiveBigIntegerField(_("milliseconds"))
    granted_at = models.DateTimeField(_("granted"))

    class Meta:
        verbose_name = _("extension of a clock")
        verbose_name_plural = _("extensions of clocks")
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return f"{self.side} + {self.milliseconds} ms"
