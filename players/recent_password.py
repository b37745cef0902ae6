"""Remember when a session last gave the password. Changes that would let a thief stay need it again after a while.

Players without a password, such as guests, are not asked: they have nothing but the session.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, update_session_auth_hash
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from database.clock import current_moment
from players.models import Player

GIVEN_AT = "password_given_at"


def has_recent_password(request: HttpRequest, player: Player) -> bool:
    """Return whether the password was given in this session a short time ago, or the player has none."""
    given_at = request.session.get(GIVEN_AT, 0)
    age = current_moment().timestamp() - given_at
    return 0 <= age < settings.REAUTHENTICATION_TIMEOUT or not player.has_usable_password()


def note_password(request: HttpRequest, player: Player) -> None:
    """Note that the password was given now; the session goes on although the password was changed or hashed anew."""
    if request.session.get(HASH_SESSION_KEY) != player.get_session_auth_hash():
        update_session_auth_hash(request, player)
    request.session[GIVEN_AT] = current_moment().timestamp()


@receiver(user_logged_in, dispatch_uid="players.recent_password")
def note_log_in(request: HttpRequest, **more: Any) -> None:
    """Note that a player who logs in or signs up has just given the password."""
    request.session[GIVEN_AT] = current_moment().timestamp()
