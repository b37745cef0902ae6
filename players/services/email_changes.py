"""Notify a confirmed e-mail that its account has another one now."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.urls import reverse

from players.mail_links import absolute
from players.models import MailKind, Player
from players.selectors import digest_of
from players.services.mail_writers import writes
from players.services.outbox import Letter, post


def notify_old_email(*, player: Player, old: str, now: datetime) -> None:
    """Put a mail to the old e-mail into the outbox, in the transaction in which the player gets another one or none.

    Only an old e-mail that the player had confirmed gets this mail.
    """
    key = f"new-address:{player.pk}:{digest_of(old)}:{now.isoformat()}"
    post(letters=[Letter(player.pk, MailKind.NEW_EMAIL, key, {"to": old, "new": player.email})], now=now)


@writes(MailKind.NEW_EMAIL)
def write_new_email(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return which e-mail the account had and has."""
    return {"to": about["to"], "new": about["new"], "link": absolute(reverse("profile"))}
