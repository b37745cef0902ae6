"""Mails that tell the owner of an account of a new password, by whatever door it was changed."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from database.clock import current_moment
from players.mail_links import absolute
from players.models import MailKind, Player
from players.selectors import digest_of
from players.services.mail_writers import writes
from players.services.outbox import Letter, post


class PasswordMails:
    """A validator of passwords that accepts all: Django tells validators of each change that is stored."""

    def validate(self, password: str, user: Any = None) -> None:
        """Accept every password."""

    def password_changed(self, password: str, user: Any = None) -> None:
        """Put a mail to the confirmed e-mail into the outbox, in the transaction of the change if there is one."""
        if isinstance(user, Player) and user.email_confirmed_at is not None:
            key = f"password:{user.pk}:{digest_of(user.password)}"
            post(letters=[Letter(user.pk, MailKind.NEW_PASSWORD, key, {"to": user.email})], now=current_moment())

    def get_help_text(self) -> str:
        """Return what staff who choose somebody's password should know."""
        return _("The owner of the account gets a mail about the change.")


@writes(MailKind.NEW_PASSWORD)
def write_new_password(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the e-mail of the account when the password was changed, and where to choose another one."""
    return {"to": about["to"], "link": absolute(reverse("forgot-password"))}
