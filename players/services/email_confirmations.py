"""Confirm e-mails: nothing else is sent to an e-mail until its player has confirmed it.

Anybody may give any e-mail, and learns nothing from it: the response is the same, and one mail is sent, whether another
player has confirmed the e-mail or not.
"""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.errors import InvalidLink, NoEmailToConfirm
from players.mail_links import CONFIRMATION_LASTS, absolute, confirmation_link, read_confirmation
from players.models import MailKind, MailSettings, Player
from players.selectors import digest_of, find_player_by_email
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from web.limits.budgets import Attempt, attempt, spend_all
from web.limits.table import CONFIRMATIONS, CONFIRMATIONS_TO_EMAIL


def request_confirmation(*, player: Player, now: datetime) -> None:
    """Send a link that confirms the player's e-mail. Raises NoEmailToConfirm and TooManyAttempts."""
    if not player.email or player.email_confirmed_at is not None:
        raise NoEmailToConfirm(_("You have no e-mail address that needs to be confirmed."))
    with attempt(CONFIRMATIONS.of(str(player.pk))):
        post_confirmation(player=player, now=now)


def spend_confirmation(*, player: Player) -> Attempt:
    """Count one more mail that a player asks for; raises TooManyAttempts for more than a few in an hour."""
    return spend_all(CONFIRMATIONS.of(str(player.pk)))


def post_confirmation(*, player: Player, now: datetime) -> None:
    """Put the mail that confirms the player's e-mail into the outbox, and note the player's language.

    Raises TooManyAttempts for more than a few to the e-mail in an hour.
    """
    with transaction.atomic():
        MailSettings.objects.update_or_create(player=player, defaults={"language": get_language() or ""})
        post_confirmation_for(player=player, now=now)


def post_confirmation_for(*, player: Player, now: datetime) -> None:
    """Post the confirmation mail without changing the player's language, for staff who may read another one.

    If another account has confirmed the e-mail, its owner gets a mail instead. The response is the same in both cases.
    Raises TooManyAttempts for more than a few to the e-mail in an hour.
    """
    CONFIRMATIONS_TO_EMAIL.of(player.email.lower()).spend()
    owner = find_player_by_email(email=player.email)
    about = f"{player.pk}:{digest_of(player.email)}:{now.isoformat()}"
    if owner is None or owner == player:
        letter = Letter(player.pk, MailKind.CONFIRMATION, f"confirmation:{about}", {"email": player.email})
    else:
        letter = Letter(owner.pk, MailKind.KNOWN_EMAIL, f"known:{about}", {"email": owner.email, "named_by": player.pk})
    post(letters=[letter], now=now)


def confirm_email(*, token: str, now: datetime) -> Player:
    """Note that the e-mail in a link is its player's, and return the player; a second call has no effect.

    Raises InvalidLink, also where the e-mail has been confirmed for another account.
    """
    claim = read_confirmation(token)
    claimed = Player.objects.filter(pk=claim.player_id, email=claim.email, is_active=True) if claim else None
    try:
        with transaction.atomic():
            confirmed = {"email_confirmed_at": Coalesce("email_confirmed_at", now), "email_bounced_at": None}
            if claimed is None or not claimed.update(**confirmed):
                raise InvalidLink(_("This link has expired, or your e-mail address has changed since."))
    except IntegrityError:
        raise InvalidLink(_("You have already confirmed this e-mail address for another account.")) from None
    return claimed.get()


@writes(MailKind.CONFIRMATION)
def write_confirmation(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the link, unless the e-mail has changed or has been confirmed in the meantime."""
    if not player.is_active or player.email != about["email"] or player.email_confirmed_at is not None:
        return None
    return {"link": confirmation_link(player.pk, player.email), "days": CONFIRMATION_LASTS.days}


@writes(MailKind.KNOWN_EMAIL)
def write_known_email(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return who has named the e-mail, unless it is another one by now."""
    named_by = Player.objects.filter(pk=about["named_by"]).first()
    if named_by is None or player.email != about["email"]:
        return None
    return {"named_by": named_by.username, "link": absolute(reverse("forgot-password"))}


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
