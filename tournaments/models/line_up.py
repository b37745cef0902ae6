"""The line-ups of teams."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry


class LineUp(models.Model):
    """The players of a team at its boards from a round on, until there is another line-up.

    ``players`` are the ids of players, that of the first board first. ``round_number`` is 0 for the order in which they
    were entered. ``set_by`` is the captain or an organiser.
    """

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="line_ups")
    round_number = models.PositiveIntegerField(_("round"), default=0)
    players = models.JSONField(_("players"))
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    set_at = models.DateTimeField(_("set"))

    class Meta:
        verbose_name = _("line-up")
        verbose_name_plural = _("line-ups")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="line_up_one_for_each_round"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} {self.round_number}"
