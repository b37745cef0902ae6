"""Players beside the entrants of a competition: who waits for a place, and who was left out at the start."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition


class WaitingPlayer(models.Model):
    """A player on the waiting list of a competition, in the order of the ids.

    It is no entry, and there is no entry of the player beside it that still plays, but for who ``moved_up_at`` the
    start. Rows stay when the competition starts, so that a start which is taken back finds the list as it was.
    Since ``removed_at`` the player is not on it; the row holds their place, should an organiser take that back: it is
    the time of the entry where an organiser has let them in out of turn.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="waiting_players")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="waiting_places")
    joined_at = models.DateTimeField(_("on the list since"))
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)
    moved_up_at = models.DateTimeField(_("moved up at the start"), null=True, blank=True)

    class Meta:
        verbose_name = _("player on a waiting list")
        verbose_name_plural = _("players on waiting lists")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["competition", "player"], name="waiting_once_for_each_player"),
        ]

    def __str__(self) -> str:
        return self.player.username


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
