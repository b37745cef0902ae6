"""The project's user model."""

from __future__ import annotations

from typing import ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from players.models.folded import Folded
from players.usernames import MAX_LENGTH, PATTERN
from web.time_zones import MAX_ZONE_LENGTH, zone_of


class PlayerManager(UserManager["Player"]):
    """Finds a player by username in any case of letters."""

    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> Player:
        """Return the player of a username in any case of letters."""
        return self.alias(folded=Lower("username")).get(folded=(username or "").lower())


class Player(AbstractUser):
    """A player: a person with an account, a guest, or a computer.

    Several players may give the same ``email``; it belongs to the one who has confirmed it. One that mails cannot reach
    has to be confirmed again: ``email_bounced_at`` says since when.

    An account that is not active has been closed: ``closed_at`` says when, ``closing_finished_at`` when its last match
    and entry had ended. An erased account is never opened again. Sessions hold a hash of ``sessions_version``: a new
    version ends them all. ``acted_at`` is the last act on the site, to the minute: a page that was opened, a move,
    anything; empty while none is known. The browser guesses the ``time_zone`` once.
    Until ``pushed_at`` pushes about matches were sent that have not been opened; empty while there are none.
    """

    username = models.CharField(
        _("username"),
        max_length=MAX_LENGTH,
        unique=True,
        validators=[
            RegexValidator(PATTERN.pattern, _("A username has 3 to 20 letters, digits, hyphens or underscores."))
        ],
    )
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), blank=True, default="")
    email_confirmed_at = models.DateTimeField(_("e-mail address confirmed"), null=True, blank=True)
    email_bounced_at = models.DateTimeField(_("mails came back"), null=True, blank=True, editable=False)
    is_guest = models.BooleanField(_("guest"), default=False)
    is_computer = models.BooleanField(_("computer"), default=False)
    client_digest = models.CharField(_("keyed hash of a guest's client network"), max_length=64, blank=True, default="")
    level = models.CharField(
        _("level"), max_length=20, blank=True, default="", help_text=_("How strong a computer of this site plays.")
    )

    may_be_entered = models.BooleanField(_("organisers may enter me in competitions without asking"), default=False)
    goes_on = models.BooleanField(_("go on to my next match by itself"), default=False, db_default=False)
    by_itself = models.BooleanField(_("play by itself what leaves no choice"), default=True, db_default=True)
    single_keys = models.BooleanField(_("single keys as shortcuts"), default=True, db_default=True)
    time_zone = models.CharField(_("time zone"), max_length=MAX_ZONE_LENGTH, blank=True, default="", db_default="")

    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, editable=False)
    closing_finished_at = models.DateTimeField(_("closing finished"), null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)
    sessions_version = models.PositiveIntegerField(default=0, editable=False)
    acted_at = models.DateTimeField(_("last active"), null=True, blank=True, editable=False)
    pushed_at = models.DateTimeField(null=True, blank=True, editable=False)

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
            models.CheckConstraint(
                condition=models.Q(erased_at=None) | models.Q(is_active=False), name="player_erased_is_closed"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["id"], condition=models.Q(is_computer=True), name="player_computers"),
            models.Index(fields=["id"], condition=models.Q(is_staff=True), name="player_staff"),
            models.Index(fields=["id"], condition=models.Q(is_active=False), name="player_closed"),
            models.Index(
                Folded("username"), condition=models.Q(is_active=True, is_guest=False), name="player_by_beginning"
            ),
            models.Index(
                fields=["id"], condition=models.Q(is_active=False, closing_finished_at=None), name="player_closing"
            ),
            models.Index(Lower("email"), condition=~models.Q(email=""), name="player_by_email"),
            models.Index(
                fields=["client_digest"], condition=~models.Q(client_digest=""), name="player_guests_of_client"
            ),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def zone(self) -> ZoneInfo:
        """Return the player's time zone, UTC while it is not known."""
        return zone_of(self.time_zone)

    def get_absolute_url(self) -> str:
        """Return the player's public page."""
        return f"/players/{self.username}/"

    def get_full_name(self) -> str:
        """Return the username, which is the only name that a player has."""
        return self.username

    def get_short_name(self) -> str:
        """Return the username, which is the only name that a player has."""
        return self.username

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return what sessions of this player hold; of the first version it is Django's own."""
        own: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        if not self.sessions_version:
            return own
        return salted_hmac("players.sessions", f"{self.sessions_version}.{own}", secret, algorithm="sha256").hexdigest()
