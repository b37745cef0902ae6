"""A question to a player whom an organiser would enter in a competition, or to the captain of a team."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import ENDED, Competition, CompetitionStatus
from tournaments.models.team import Team


class InvitationStatus(models.TextChoices):
    """The status of an invitation."""

    WAITING = "waiting", _("not answered")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")


class EntryInvitation(models.Model):
    """An invitation to enter a competition; a player or team has one at most in each, which may be made anew.

    Of a ``team`` the ``player`` is its captain, who answers; another captain takes their place.
    ``invited_by`` is empty where the account was deleted. The player has been asked at ``asked_at``, which is empty
    while the competition is a draft. A player who accepts an invitation that ``replaces`` an entry takes over
    that place. ``kept`` is what players have again who had joined, or waited, before all were asked again.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="invitations")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="entry_invitations")
    team = models.ForeignKey(
        Team, models.CASCADE, null=True, blank=True, related_name="entry_invitations", verbose_name=_("team")
    )
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    replaces = models.ForeignKey(
        "tournaments.Entry", models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("replaces")
    )
    kept = models.JSONField(_("kept"), default=dict, blank=True, editable=False)
    status = models.CharField(
        _("status"), max_length=9, choices=InvitationStatus.choices, default=InvitationStatus.WAITING
    )
    created_at = models.DateTimeField(_("invited"))
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation to a competition")
        verbose_name_plural = _("invitations to competitions")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["competition", "player"], condition=Q(team=None), name="invitation_one_for_each_player"
            ),
            models.UniqueConstraint(
                fields=["competition", "team"], condition=Q(team__isnull=False), name="invitation_one_for_each_team"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["accepted", "declined"], answered_at__isnull=False)
                | Q(status__in=["waiting", "withdrawn"], answered_at=None),
                name="invitation_answered_if_answered",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["player"], condition=Q(status="waiting"), name="invitation_waiting"),
            models.Index(
                fields=["competition"],
                condition=Q(status="waiting", asked_at__isnull=False),
                name="invitation_unanswered",
            ),
            models.Index(fields=["invited_by", "created_at"], name="invitation_of_organiser"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page of the player, or of the team."""
        return self.player.get_absolute_url() if self.team is None else self.team.get_absolute_url()

    @property
    def has_lapsed(self) -> bool:
        """Return whether it was not answered in time: the competition has started without late entry, or is over."""
        competition = self.competition
        is_late = competition.status in ENDED or (
            competition.status == CompetitionStatus.RUNNING
            and self.replaces_id is None
            and not competition.first_stage.allows_late_entry
        )
        return is_late and self.status == InvitationStatus.WAITING and self.asked_at is not None

    @property
    def name(self) -> str:
        """Return the username, or the name of the team."""
        return self.player.username if self.team is None else self.team.name
