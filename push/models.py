"""Devices, what each player wants to be told on them, and the pushes to them."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import DeliveryState, OutboxRow, Player

MAX_ENDPOINT_LENGTH = 1000
MAX_DEVICE_NAME_LENGTH = 60


class PushKind(models.TextChoices):
    """The subject of a push."""

    TURN = "turn", _("your turn")
    DEADLINE = "deadline", _("deadline near")
    MATCH = "match", _("match begun or over")
    INVITATION = "invitation", _("invitation")
    COMPETITION = "competition", _("news of a competition")


SWITCHES: Mapping[str, str] = {
    PushKind.TURN: "turns",
    PushKind.DEADLINE: "deadlines",
    PushKind.MATCH: "matches",
    PushKind.INVITATION: "invitations",
    PushKind.COMPETITION: "competitions",
}
"""The field of ``PushSettings`` by which a kind is switched off."""


class PushSettings(models.Model):
    """What a player wants to be told on devices. Players without a row are told everything, without names.

    The quiet hours, in the player's time zone, may go past midnight; without both of their ends there are none.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="push_settings", primary_key=True)
    turns = models.BooleanField(_("when it is my turn"), default=True)
    deadlines = models.BooleanField(_("before my time runs out"), default=True)
    matches = models.BooleanField(_("when a match of mine begins or is over"), default=True)
    invitations = models.BooleanField(_("when I am invited"), default=True)
    competitions = models.BooleanField(_("with news of the competitions that I play in"), default=True)
    shows_names = models.BooleanField(_("with names, which others may read on a locked screen"), default=False)
    quiet_from = models.PositiveSmallIntegerField(_("quiet from this hour"), null=True, blank=True)
    quiet_until = models.PositiveSmallIntegerField(_("quiet until this hour"), null=True, blank=True)

    class Meta:
        verbose_name = _("push settings")
        verbose_name_plural = _("push settings")

    def __str__(self) -> str:
        return str(self.player)


class PushSubscription(models.Model):
    """A device that a player has subscribed: the push service's endpoint for it, and the keys to encrypt for it."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(_("endpoint"), max_length=MAX_ENDPOINT_LENGTH)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    p256dh = models.CharField(max_length=100, editable=False)
    auth = models.CharField(max_length=30, editable=False)
    name = models.CharField(_("name"), max_length=MAX_DEVICE_NAME_LENGTH)
    created_at = models.DateTimeField(_("created"))
    last_sent_at = models.DateTimeField(_("last sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return self.name


class Push(OutboxRow):
    """A push to a device, stored before it is sent.

    ``key`` identifies its cause, so that it is stored once for each device. Of one ``topic`` a device is sent no second
    one before its player has opened the first. ``match`` is the one that it is about.
    """

    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="pushes")
    kind = models.CharField(_("kind"), max_length=12, choices=PushKind.choices)
    key = models.CharField(_("key"), max_length=100)
    topic = models.CharField(_("topic"), max_length=100)
    match = models.PositiveBigIntegerField(_("match"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)

    class Meta:
        verbose_name = _("push")
        verbose_name_plural = _("pushes")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["subscription", "key"], name="push_once"),
            models.UniqueConstraint(
                fields=["subscription", "topic"],
                condition=Q(opened_at=None, state__in=[DeliveryState.PENDING, DeliveryState.SENT]),
                name="push_one_of_a_topic_until_opened",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["next_attempt_at"], condition=Q(state="pending"), name="push_due"),
            models.Index(fields=["done_at"], condition=Q(done_at__isnull=False), name="push_done"),
        ]

    def __str__(self) -> str:
        return self.key


class PushMark(models.Model):
    """The moment until which changes were looked at for pushes, in a single row."""

    ONLY: ClassVar[int] = 1

    until = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("mark of the pushes")
        verbose_name_plural = _("marks of the pushes")

    def __str__(self) -> str:
        return self.until.isoformat()


class PushKey(models.Model):
    """The site's private key for push services, made once, in a single row; in base64 for URLs."""

    ONLY: ClassVar[int] = 1

    private_key = models.CharField(max_length=50, editable=False)

    class Meta:
        verbose_name = _("push key")
        verbose_name_plural = _("push keys")

    def __str__(self) -> str:
        return str(self.pk)
