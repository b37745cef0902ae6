"""Check passwords of competitions, and limit guesses."""

from __future__ import annotations

from django.contrib.auth.hashers import check_password

from players.models import Player
from tournaments.models import Competition
from web.limits.attempts import Limit, attempt
from web.storable_text import is_storable

GUESSES = Limit("competition-passwords", number=10, seconds=600)
"""Of a player for a competition."""

PER_CLIENT = Limit("competition-passwords-by-client", number=100, seconds=3600)
"""From one client IP for all competitions: a guest without cookies is another guest, but comes from the same place."""


def match_password(*, competition_id: int, player: Player, password: str, client_ip: str) -> str:
    """Return the competition's stored password if this one is right, else ``""``, as for who has been let in before.

    To be asked before the competition is locked: checking a password is slow on purpose. Raises ``TooManyAttempts``
    after several wrong ones of the player, or many from the client network, even for the right one.
    """
    stored = _stored_password(competition_id, player)
    if not stored or not password:
        return ""
    guesses = GUESSES.of(str(player.pk), str(competition_id))
    with attempt(guesses, PER_CLIENT.of(client_ip)) as one:
        if not is_storable(password) or not check_password(password, stored):
            return ""
        one.forgive()
    guesses.forget()
    return stored


def _stored_password(competition_id: int, player: Player) -> str | None:
    asking = Competition.objects.filter(pk=competition_id).exclude(entries__player=player)
    return asking.values_list("password", flat=True).first()
