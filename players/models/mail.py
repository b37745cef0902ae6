"""The outbox, and each player's mail settings."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models.outbox_row import OutboxRow
from players.models.player import Player

REMINDER_HOURS = (72, 48, 24, 12, 8, 4, 2, 1)
"""The numbers of hours before a deadline at which a player may be reminded of it."""

USUAL_REMINDERS = (24, 4)


class MailKind(models.TextChoices):
    """The subject of a mail; its template has the same name."""

    TURN = "turn", _("your turn")
    DEADLINE = "deadline", _("deadline near")
    END = "end", _("match over")
    OPPONENT = "opponent", _("offer of an opponent, or game joined by a link")
    COMPETITION = "competition", _("news of a competition")
    ORGANISING = "organising", _("news of a competition that the player organises")
    TEAM = "team", _("invitation to a team")
    CONFIRMATION = "confirmation", _("confirmation of an e-mail address")
    RESET = "reset", _("password reset")
    NEW_EMAIL = "new-address", _("e-mail address changed, sent to the old one")
    NEW_PASSWORD = "password", _("password changed")
    KNOWN_EMAIL = "known", _("e-mail address entered for another account")


SWITCHES: Mapping[str, str] = {
    MailKind.TURN: "turns",
    MailKind.END: "ends",
    MailKind.OPPONENT: "opponents",
    MailKind.COMPETITION: "competitions",
    MailKind.ORGANISING: "organising",
    MailKind.TEAM: "teams",
    MailKind.DEADLINE: "deadlines",
}
"""The field of ``MailSettings`` by which a kind is switched off. The other kinds are about the account itself."""


TO_OTHER_EMAILS = frozenset({MailKind.CONFIRMATION, MailKind.NEW_EMAIL, MailKind.NEW_PASSWORD})
"""The kinds sent to another e-mail than the one the player has confirmed."""


def usual_reminders() -> list[int]:
    """Return a day and four hours before."""
    return list(USUAL_REMINDERS)


class MailSettings(models.Model):
    """The mails that a player wants, and their language. Players without a row get all kinds.

    Turns come in mails of their own, or once a day all in one: ``turns_daily_at`` is the hour in the player's time
    zone, and ``next_daily_at`` the moment at which it comes next.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="mail_settings", primary_key=True)
    turns = models.BooleanField(_("when it is my turn"), default=True)
    deadlines = models.BooleanField(_("before my time runs out"), default=True)
    ends = models.BooleanField(_("when a match of mine is over"), default=True)
    opponents = models.BooleanField(
        _("when an opponent offers me something or joins by my link"), default=True, db_default=True
    )
    competitions = models.BooleanField(_("with news of the competitions that I play in"), default=True)
    organising = models.BooleanField(_("with news of the competitions that I organise"), default=True)
    teams = models.BooleanField(_("when a team invites me"), default=True)
    reminder_hours = models.JSONField(_("hours before the deadline"), default=usual_reminders)
    turns_daily_at = models.PositiveSmallIntegerField(_("hour of the daily mail of all turns"), null=True, blank=True)
    next_daily_at = models.DateTimeField(_("next daily mail"), null=True, blank=True, editable=False)
    language = models.CharField(_("language"), max_length=10, blank=True)

    class Meta:
        verbose_name = _("mail settings")
        verbose_name_plural = _("mail settings")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_daily_at"], condition=Q(next_daily_at__isnull=False), name="mail_settings_next_daily"
            )
        ]

    def __str__(self) -> str:
        return str(self.player)


class Delivery(OutboxRow):
    """A mail to a player. ``key`` identifies the cause, so that the mail is sent once."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="deliveries")
    kind = models.CharField(_("kind"), max_length=12, choices=MailKind.choices)
    key = models.CharField(_("key"), max_length=200, unique=True)

    class Meta:
        verbose_name = _("e-mail")
        verbose_name_plural = _("e-mails")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["next_attempt_at"], condition=Q(state="pending"), name="delivery_due"),
            models.Index(fields=["-id"], condition=Q(state="failed"), name="delivery_failed"),
            models.Index(fields=["done_at"], condition=Q(done_at__isnull=False), name="delivery_done"),
        ]

    def __str__(self) -> str:
        return self.key
