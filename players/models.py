"""Players and their API tokens."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from players.usernames import LONGEST, PATTERN

START_RATING = Decimal(1500)
"""The rating of whoever has not played a rated match yet."""


class PlayerManager(UserManager["Player"]):
    """Finds a player by his username in any case of letters."""

    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.alias(folded=Lower("username")).get(folded=(username or "").lower())


class Player(AbstractUser):
    """Who plays: a person with an account, a guest, or the computer."""

    username = models.CharField(
        _("username"),
        max_length=LONGEST,
        unique=True,
        validators=[
            RegexValidator(PATTERN.pattern, _("A username is 3 to 20 letters, digits, hyphens or underscores."))
        ],
    )
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), blank=True, default="")
    is_guest = models.BooleanField(_("guest"), default=False)
    is_computer = models.BooleanField(_("computer"), default=False)

    objects: ClassVar[PlayerManager] = PlayerManager()

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(Lower("username"), name="player_username_unique_in_any_case"),
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="player_email_unique_in_any_case",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["id"], condition=models.Q(is_computer=True), name="player_computers"),
        ]

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        """The player's public page."""
        return f"/players/{self.username}/"

    def get_full_name(self) -> str:
        """The username: players have no other name."""
        return self.username

    def get_short_name(self) -> str:
        """The username: players have no other name."""
        return self.username


class Rating(models.Model):
    """A player's rating in a family of games: where his rated matches have brought it.

    ``rank`` is the number of his permanent rank, 0 at the start (20 kyu), 1 for 19 kyu and so on.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings")
    family = models.CharField(_("game"), max_length=40)
    rating = models.DecimalField(_("rating"), max_digits=9, decimal_places=4, default=START_RATING)
    games = models.PositiveIntegerField(_("rated games"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    rank = models.PositiveSmallIntegerField(_("rank"), default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "family"], name="rating_one_for_each_game"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["family", "-rating"], name="rating_best")]

    def __str__(self) -> str:
        return f"{self.rating:.0f}"


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
        return self.starts_at.date().isoformat()

    @property
    def ends_at(self) -> datetime:
        """The moment at which it is over."""
        return self.starts_at + self.LENGTH


class Scope(models.TextChoices):
    """What a token permits."""

    READ = "read", _("read what you can read")
    PLAY = "play", _("play your matches")
    ORGANISE = "organise", _("organise competitions")


class ApiToken(models.Model):
    """Lets a program act for a player. The secret is shown once; only its digest is kept."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(_("begins with"), max_length=16, editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
