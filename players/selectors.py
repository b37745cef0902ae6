"""Reading players and tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from decimal import Decimal
from hashlib import sha256

from django.db.models import QuerySet
from django.db.models.functions import Lower

from players.models import START_RATING, ApiToken, Player, Rating


def find_player(*, username: str) -> Player | None:
    """The active player with this username in any case of letters."""
    folded = username.lower()
    if "\0" in folded:
        return None
    return Player.objects.alias(folded=Lower("username")).filter(folded=folded, is_active=True).first()


def find_players(*, usernames: Iterable[str]) -> dict[str, Player]:
    """The active players with these usernames in any case of letters, by their usernames in lower case."""
    folded = {username.lower() for username in usernames if "\0" not in username}
    players = Player.objects.annotate(folded=Lower("username")).filter(folded__in=folded, is_active=True)
    return {player.username.lower(): player for player in players}


def find_token(*, secret: str, now: datetime) -> ApiToken | None:
    """The token with this secret, its player fetched with it, unless it has expired or he is not active."""
    token = ApiToken.objects.select_related("player").filter(digest=digest_of(secret), player__is_active=True).first()
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    return token


def tokens_of(*, player: Player) -> QuerySet[ApiToken]:
    """The player's tokens, the newest first."""
    return ApiToken.objects.filter(player=player)


def ratings_in(*, family: str, players: Collection[Player]) -> dict[int, Decimal]:
    """Each player's rating in a family of games, by his id; 1500 for whoever has played no rated match."""
    rated = dict(Rating.objects.filter(family=family, player__in=players).values_list("player_id", "rating"))
    return {player.pk: rated.get(player.pk, START_RATING) for player in players}


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret, in hexadecimal. Secrets are random: no slow hash is needed."""
    return sha256(secret.encode(errors="replace")).hexdigest()
