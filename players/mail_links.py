"""Signed links in mails: they prove that the mail was received, without logging in."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.urls import reverse

CONFIRMATION_LASTS = timedelta(days=7)

_CONFIRMATION = "players.confirmation"
_SWITCH_OFF = "players.switch-off"

ALL_SWITCHES = "all"
"""Stands in a link for all kinds of mail that can be switched off."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The proof in a link from a confirmation mail: this player reads the mails to this e-mail."""

    player_id: int
    email: str


def absolute(path: str) -> str:
    """Return the full URL of a page of this site, for mails: ``SITE_URL`` and the path."""
    return f"{settings.SITE_URL}{path}"


def confirmation_link(player_id: int, email: str) -> str:
    """Return the link by which a player confirms that the e-mail is theirs; it is good for ``CONFIRMATION_LASTS``."""
    token = signing.dumps([player_id, email], salt=_CONFIRMATION)
    return absolute(reverse("confirm-email", args=[token]))


def read_confirmation(token: str) -> Claim | None:
    """Return what the token of a confirmation link says; ``None`` if it is not ours or too old."""
    try:
        player_id, email = signing.loads(token, salt=_CONFIRMATION, max_age=CONFIRMATION_LASTS)
    except signing.BadSignature:
        return None
    return Claim(player_id, email)


def switch_off_link(player_id: int, kind: str) -> str:
    """Return the link by which a player switches a kind of mail off, or ``ALL_SWITCHES``. It is good for ever."""
    return absolute(reverse("switch-mail-off", args=[signing.Signer(salt=_SWITCH_OFF).sign(f"{player_id}.{kind}")]))


def read_switch_off(token: str) -> tuple[int, str] | None:
    """Return the player's id and the kind of mail that a link's token says; ``None`` if it is not ours."""
    try:
        player_id, _dot, kind = signing.Signer(salt=_SWITCH_OFF).unsign(token).partition(".")
    except signing.BadSignature:
        return None
    return int(player_id), kind
