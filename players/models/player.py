"""Who plays: the project's user model."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from players.usernames import LONGEST, PATTERN


class PlayerManager(UserManager["Player"]):
    """Finds a player by his username in any case of letters."""

    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.alias(folded=Lower("username")).get(folded=(username or "").lower())


class Player(AbstractUser):
    """Who plays: a person with an account, a guest, or the computer.

    Anybody may name any ``email``; it belongs to the one player who has confirmed it.
    """

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
    email_confirmed_at = models.DateTimeField(_("address confirmed"), null=True, blank=True)
    is_guest = models.BooleanField(_("guest"), default=False)
    is_computer = models.BooleanField(_("computer"), default=False)
    client_digest = models.CharField(_("keyed hash of a guest's client network"), max_length=64, blank=True, default="")
    level = models.CharField(
        _("level"), max_length=20, blank=True, default="", help_text=_("How strong a computer of this site plays.")
    )

    objects: ClassVar[PlayerManager] = PlayerManager()

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(Lower("username"), name="player_username_unique_in_any_case"),
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email="") & models.Q(email_confirmed_at__isnull=False),
                name="player_confirmed_email_unique_in_any_case",
            ),
            models.UniqueConstraint(
                fields=["level"], condition=~models.Q(level=""), name="player_one_computer_of_a_level"
            ),
            models.CheckConstraint(
                condition=models.Q(level="") | models.Q(is_computer=True), name="player_only_computers_have_a_level"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["id"], condition=models.Q(is_computer=True), name="player_computers"),
            models.Index(Lower("email"), condition=~models.Q(email=""), name="player_by_email"),
            models.Index(
                fields=["client_digest"], condition=~models.Q(client_digest=""), name="player_guests_of_client"
            ),
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
