"""Days on which a player's clocks get more time."""

from datetime import UTC, date, datetime, timedelta
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models.player import Player


class VacationDay(models.Model):
    """A day of vacation: planned, from midnight UTC, or spent by itself when a clock ran out.

    It lasts 24 hours, and belongs to the year (UTC) in which it starts. One that lies ahead can be cancelled.
    """

    LENGTH: ClassVar[timedelta] = timedelta(days=1)

    player = models.ForeignKey(Player, models.CASCADE, related_name="vacation_days")
    starts_at = models.DateTimeField(_("starts"))
    is_planned = models.BooleanField(_("planned"))
    noted_at = models.DateTimeField(_("noted"))

    class Meta:
        verbose_name = _("day of vacation")
        verbose_name_plural = _("days of vacation")
        ordering: ClassVar[list[str]] = ["starts_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "starts_at"], name="vacation_day_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["starts_at"], name="vacation_day_by_start")]

    def __str__(self) -> str:
        return self.date.isoformat()

    @property
    def date(self) -> date:
        """Return the date of its start, in UTC."""
        return self.starts_at.astimezone(UTC).date()

    @property
    def ends_at(self) -> datetime:
        """Return the moment at which it is over."""
        return self.starts_at + self.LENGTH
