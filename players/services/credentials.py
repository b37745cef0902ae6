"""Checking a password without letting it be guessed."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _

from players.attempts import Limit
from players.errors import WrongCredentials
from players.models import Player
from players.texts import is_storable

BY_NAME = Limit("log-in-by-name", number=10, seconds=600)
BY_ACCOUNT = Limit("log-in-by-account", number=100, seconds=3600)
BY_ADDRESS = Limit("log-in-by-address", number=100, seconds=3600)


def check_credentials(*, username: str, password: str, address: str) -> Player:
    """The active player whom the username, in any case of letters, and the password belong to.

    Wrong attempts are counted by name and address together, by name, and by address, whether anybody has the
    name or not. Raises WrongCredentials and TooManyAttempts; the latter even for the right password, so that
    nothing can be guessed.
    """
    name = username.lower()
    BY_NAME.check(name, address)
    BY_ACCOUNT.check(name)
    BY_ADDRESS.check(address)
    player = None
    if is_storable(username) and is_storable(password):
        player = authenticate(username=username, password=password)
    if not isinstance(player, Player):
        BY_NAME.count(name, address)
        BY_ACCOUNT.count(name)
        BY_ADDRESS.count(address)
        raise WrongCredentials(_("No player has this username and this password."))
    BY_NAME.forget(name, address)
    return player


def forgive_attempts(*, player: Player) -> None:
    """Let the player log in again who was shut out by others' guesses: he has chosen another password."""
    BY_ACCOUNT.forget(player.username.lower())
