"""Players who were entered in a competition, and not checked in when it started."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition


class AbsentPlayer(models.Model):
    """A player who was left out at the start of a competition, and has no entry in it since.

    The row is there for the case that the start is taken back: it holds what the entry was.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="absent_players")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    entry_number = models.PositiveBigIntegerField(_("number of the entry"))
    draw = models.PositiveBigIntegerField(_("draw"))
    entered_at = models.DateTimeField(_("entered"))

    class Meta:
        verbose_name = _("absent player")
        verbose_name_plural = _("absent players")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["competition", "player"], name="absent_once_for_each_player"),
        ]

    def __str__(self) -> str:
        return self.player.username
