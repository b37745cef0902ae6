"""Remember the client networks of guests: as keyed hashes, and only as long as a limit needs them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from players.models import Player

CLIENT_LIFETIME = timedelta(days=1)
"""The least time for which the client network of a new guest is remembered."""


def digest_client(network: str) -> str:
    """Return the keyed hash of a client network, in hexadecimal: without ``SECRET_KEY`` nobody can find the IP."""
    return salted_hmac("players.guest_client_middleware", network, algorithm="sha256").hexdigest()


def note_client(*, player: Player, network: str) -> None:
    """Remember the client network of a guest whose network is not known. Nothing is kept of other players."""
    if player.is_guest and not player.client_digest:
        player.client_digest = digest_client(network)
        Player.objects.filter(pk=player.pk, is_guest=True).update(client_digest=player.client_digest)


def forget_clients(*, needed_for: Collection[int], now: datetime) -> int:
    """Forget the client networks of guests who came a day ago or earlier; return how many.

    Those with a number in ``needed_for`` are left alone.
    """
    known = Player.objects.exclude(client_digest="").filter(date_joined__lte=now - CLIENT_LIFETIME)
    return known.exclude(pk__in=needed_for).update(client_digest="")
