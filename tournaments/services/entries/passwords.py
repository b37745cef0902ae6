"""Passwords of events, which must not be guessed."""

from __future__ import annotations

from django.contrib.auth.hashers import check_password

from players.attempts import Limit, attempt
from players.models import Player
from players.texts import is_storable
from tournaments.models import Event

GUESSES = Limit("event-passwords", number=10, seconds=600)
"""Of a player for an event."""

BY_ADDRESS = Limit("event-passwords-by-address", number=100, seconds=3600)
"""From an address for all events: whoever throws his cookies away is another guest, and comes from the same place."""


def match_password(*, event_id: int, player: Player, password: str, address: str) -> str:
    """Return the event's password as it is stored if this one is right, else ``""``, as for who has been let in before.

    To be asked before the event is locked: checking a password is slow on purpose. Raises ``TooManyAttempts`` after
    several wrong ones of the player, or many from the address, even for the right one.
    """
    stored = _stored_password(event_id, player)
    if not stored or not password:
        return ""
    guesses = GUESSES.of(str(player.pk), str(event_id))
    with attempt(guesses, BY_ADDRESS.of(address)) as one:
        if not is_storable(password) or not check_password(password, stored):
            return ""
        one.forgive()
    guesses.forget()
    return stored


def _stored_password(event_id: int, player: Player) -> str | None:
    asking = Event.objects.filter(pk=event_id).exclude(entries__player=player)
    return asking.values_list("password", flat=True).first()
