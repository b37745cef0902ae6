"""A question to a player whom an organiser would have run a competition with them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition
from tournaments.models.invitation import InvitationStatus
from tournaments.models.rights import Role


class RoleChoice(models.TextChoices):
    """The role that is offered."""

    ORGANISER = Role.ORGANISER, _("organiser")
    HELPER = Role.HELPER, _("helper")


class RoleInvitation(models.Model):
    """An invitation to run a competition; a player has one at most in each, which may be made anew.

    The rights of the ``role`` begin when the player accepts. ``invited_by`` is empty where the account was deleted.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="role_invitations")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="role_invitations")
    role = models.CharField(_("role"), max_length=9, choices=RoleChoice.choices)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    status = models.CharField(
        _("status"), max_length=9, choices=InvitationStatus.choices, default=InvitationStatus.WAITING
    )
    created_at = models.DateTimeField(_("invited"))

    class Meta:
        verbose_name = _("invitation to run a competition")
        verbose_name_plural = _("invitations to run competitions")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["competition", "player"], name="role_invitation_one_for_each_player"),
            models.CheckConstraint(condition=Q(role__in=RoleChoice.values), name="role_invitation_role_known"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["player"], condition=Q(status="waiting"), name="role_invitation_waiting"),
            models.Index(fields=["invited_by", "created_at"], name="role_invitation_of_organiser"),
        ]

    def __str__(self) -> str:
        return self.player.username
