"""The cookie of a browser in which players have logged in: OWASP's device cookies.

Guesses of others can use up the attempts that a name has, but not those of a known browser, which are counted apart.
The cookie is signed and holds a random number, and for each account a hash of the password as it is stored: with
another password the browser is unknown again. It lets nobody in.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from players.models import Player

COOKIE = "kickabout_device"
SALT = "players.devices"
MAX_ACCOUNTS = 5
"""The accounts that a browser is remembered for, those that were used last."""

LIFETIME = 365 * 86_400
"""Seconds."""


def remember_device(request: HttpRequest, response: HttpResponseBase, player: Player) -> None:
    """Let a browser be known for a player who has just proved to be one with the password or by mail."""
    device, known = _read(request)
    known.pop(str(player.pk), None)
    accounts = [*known.items(), (str(player.pk), _digest(player))][-MAX_ACCOUNTS:]
    response.set_cookie(
        COOKIE,
        signing.dumps([device or secrets.token_urlsafe(12), dict(accounts)], salt=SALT),
        max_age=LIFETIME,
        path=settings.LOGIN_URL,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_device(request: HttpRequest, player: Player | None) -> str:
    """Return the random number of a browser that the player has used with the present password; else nothing."""
    device, known = _read(request)
    digest = known.get(str(player.pk), "") if player is not None else ""
    return device if digest and player is not None and constant_time_compare(digest, _digest(player)) else ""


def _read(request: HttpRequest) -> tuple[str, dict[str, str]]:
    try:
        device, known = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return "", {}
    return device, known


def _digest(player: Player) -> str:
    return salted_hmac(SALT, f"{player.pk} {player.password}", algorithm="sha256").hexdigest()[:32]
