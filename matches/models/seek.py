"""An offer to play a match."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models.changed_at import Changing
from matches.models.match import Match
from matches.models.time_control import TimeControlled, time_control_columns


class SeekStatus(models.TextChoices):
    """The status of a seek."""

    OPEN = "open", _("open")
    TAKEN = "taken", _("taken")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DECLINED = "declined", _("declined")


class Colour(models.TextChoices):
    """The side that the creator of a seek wants."""

    YELLOW = "yellow", _("Yellow")
    RED = "red", _("Red")
    RANDOM = "random", _("random")


IN_LOBBY = Q(invited=None, by_link=False)
"""The seeks that everybody sees, whatever their status."""


class Seek(TimeControlled, Changing):
    """An offer to play: to everybody, an invitation of one player, or for whoever has its link.

    ``colour`` is the creator's side; the rating limits, and whether computers are admitted, apply to the player who
    takes it. A rematch is an invitation with ``rematch_of``.
    """

    SEEN = frozenset({"status"})

    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seeks")
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    game = models.CharField(_("game"), max_length=40)
    colour = models.CharField(_("colour"), max_length=6, choices=Colour.choices, default=Colour.RANDOM)
    time_bank, time_increment, time_cap = time_control_columns()
    is_rated = models.BooleanField(_("counts for the ratings"), default=False)
    min_rating = models.PositiveIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveIntegerField(_("highest rating"), null=True, blank=True)
    admits_computers = models.BooleanField(_("admits computers"), default=False)
    by_link = models.BooleanField(_("for whoever has the link"), default=False, db_default=False)
    status = models.CharField(_("status"), max_length=9, choices=SeekStatus.choices, default=SeekStatus.OPEN)
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="seek")
    rematch_of = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="rematch_offers")
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("seek")
        verbose_name_plural = _("seeks")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(invited=F("creator")), name="seek_invites_another_player"),
            models.CheckConstraint(
                condition=Q(by_link=False) | Q(invited=None, min_rating=None, max_rating=None, admits_computers=False),
                name="seek_by_link_is_for_anybody_with_it",
            ),
            models.CheckConstraint(
                condition=Q(min_rating=None) | Q(max_rating=None) | Q(min_rating__lte=F("max_rating")),
                name="seek_rating_limits_in_order",
            ),
            models.CheckConstraint(
                condition=Q(status=SeekStatus.TAKEN, match__isnull=False)
                | (~Q(status=SeekStatus.TAKEN) & Q(match__isnull=True)),
                name="seek_has_match_when_taken",
            ),
            models.CheckConstraint(
                condition=Q(rematch_of__isnull=True) | Q(invited__isnull=False),
                name="seek_rematch_invites_the_opponent",
            ),
            models.UniqueConstraint(
                fields=["rematch_of", "creator"],
                condition=Q(status=SeekStatus.OPEN),
                name="seek_one_open_rematch_offer_a_player",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-id"], condition=Q(status=SeekStatus.OPEN), name="seek_open"),
            models.Index(fields=["changed_at"], name="seek_changed"),
        ]

    def __str__(self) -> str:
        return f"{self.creator} – {self.invited or '?'}"

    @property
    def is_in_lobby(self) -> bool:
        """Return whether it is one of those that everybody sees."""
        return self.invited_id is None and not self.by_link
