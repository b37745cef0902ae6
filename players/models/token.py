"""Tokens with which programs act for a player."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models.player import Player
from web.moment_bounds import within_calendar


class Scope(models.TextChoices):
    """A permission of a token."""

    READ = "read", _("read everything that you can see")
    PLAY = "play", _("play your matches")
    ORGANISE = "organise", _("organise competitions")
    CALENDAR = "calendar", _("read your deadlines as a calendar")


class ApiToken(models.Model):
    """Lets a program act for a player. The secret is shown once; only its digest is kept.

    ``request_digest`` is the digest of the ``Idempotency-Key`` with which the token was asked for, if there was one.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(_("begins with"), max_length=16, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["player", "request_digest"],
                condition=~models.Q(request_digest=""),
                name="token_one_for_each_request",
            ),
            models.CheckConstraint(condition=within_calendar("expires_at"), name="token_end_in_calendar"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
