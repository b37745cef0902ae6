"""Confirming e-mail addresses: nothing else is ever sent to an address before its player has."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.attempts import Limit
from players.errors import InvalidLink, NoAddressToConfirm
from players.links import confirmation_link, read_confirmation
from players.models import MailKind, MailSettings, Player
from players.selectors import digest_of
from players.services.outbox import Letter, post
from players.services.writing import writes

BY_PLAYER = Limit("confirmations-by-player", number=5, seconds=3600)
TO_ADDRESS = Limit("confirmations-to-address", number=5, seconds=3600)


def request_confirmation(*, player: Player, now: datetime) -> None:
    """Send the player a link that confirms his address. Raises NoAddressToConfirm and TooManyAttempts."""
    if not player.email or player.email_confirmed_at is not None:
        raise NoAddressToConfirm(_("You have no address that is still to be confirmed."))
    spend_confirmation(player=player, email=player.email)
    post_confirmation(player=player, now=now)


def spend_confirmation(*, player: Player, email: str) -> None:
    """Count one more confirmation by a player and to an address; raises TooManyAttempts."""
    BY_PLAYER.spend(str(player.pk))
    TO_ADDRESS.spend(email.lower())


def post_confirmation(*, player: Player, now: datetime) -> None:
    """Put the mail that confirms the player's address into the outbox, and note in which language he reads."""
    with transaction.atomic():
        MailSettings.objects.update_or_create(player=player, defaults={"language": get_language() or ""})
        post_confirmation_for(player=player, now=now)


def post_confirmation_for(*, player: Player, now: datetime) -> None:
    """Put that mail into the outbox for somebody else than whoever asks: it is in the language noted for the player."""
    key = f"confirmation:{player.pk}:{digest_of(player.email)}:{now.isoformat()}"
    post(letters=[Letter(player.pk, MailKind.CONFIRMATION, key, {"email": player.email})], now=now)


def confirm_email(*, token: str, now: datetime) -> Player:
    """Note that the address in a link is its player's, and return him; again has no effect. Raises InvalidLink."""
    claim = read_confirmation(token)
    claimed = Player.objects.filter(pk=claim.player_id, email=claim.email, is_active=True) if claim else None
    if claimed is None or not claimed.update(email_confirmed_at=Coalesce("email_confirmed_at", now)):
        raise InvalidLink(_("This link is too old, or your address has changed since."))
    return claimed.get()


@writes(MailKind.CONFIRMATION)
def write_confirmation(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """The link, unless the address has changed or has been confirmed in the meantime."""
    if not player.is_active or player.email != about["email"] or player.email_confirmed_at is not None:
        return None
    return {"link": confirmation_link(player.pk, player.email)}
