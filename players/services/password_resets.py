"""Reset forgotten passwords by a link that is mailed to the player's confirmed e-mail."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from players.mail_links import absolute
from players.models import MailKind, Player
from players.selectors import find_player_by_email
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from web.limits.budgets import spend_all
from web.limits.table import RESETS_BY_CLIENT, RESETS_TO_EMAIL


def request_password_reset(*, email: str, client_ip: str, now: datetime) -> None:
    """Send a link to choose another password, if a player has confirmed ``email``.

    Nobody learns whether one has. ``client_ip`` is where the request comes from. Raises TooManyAttempts.
    """
    spend_all(RESETS_BY_CLIENT.of(client_ip), RESETS_TO_EMAIL.of(email.lower()))
    player = find_player_by_email(email=email)
    if player is not None:
        key = f"reset:{player.pk}:{now.isoformat()}"
        post(letters=[Letter(player.pk, MailKind.RESET, key, {"asked_at": now.isoformat()})], now=now)


@writes(MailKind.RESET)
def write_reset(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the link, unless it was asked for longer ago than it would be valid."""
    lasts = timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    if datetime.fromisoformat(about["asked_at"]) + lasts <= now:
        return None
    key = urlsafe_base64_encode(force_bytes(player.pk))
    path = reverse("choose-password", args=[key, default_token_generator.make_token(player)])
    return {"link": absolute(path), "hours": int(lasts / timedelta(hours=1))}
