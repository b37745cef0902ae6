"""API tokens in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict

from players.models import ApiToken, Player
from players.schemas.player import PlayerSchema, player_to_json

ScopeName = Literal["read", "play", "organise", "calendar"]


class TokenSchema(TypedDict):
    """An API token without its secret."""

    id: int
    name: str
    prefix: str
    """The first characters of the secret."""
    scopes: list[ScopeName]
    created_at: datetime
    expires_at: datetime | None
    """Null if it never expires."""
    last_used_at: datetime | None


class SecretTokenSchema(TokenSchema):
    """A new API token with its secret, which is shown this once."""

    secret: str


class GuestSchema(TypedDict):
    """A new guest, with the token that is their only key."""

    player: PlayerSchema
    token: SecretTokenSchema


def token_to_json(token: ApiToken) -> TokenSchema:
    """Return a token without its secret."""
    return {
        "id": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "last_used_at": token.last_used_at,
    }


def secret_token_to_json(token: ApiToken, secret: str) -> SecretTokenSchema:
    """Return a new token with its secret."""
    return {**token_to_json(token), "secret": secret}


def guest_to_json(player: Player, token: ApiToken, secret: str) -> GuestSchema:
    """Return a new guest with their token."""
    return {"player": player_to_json(player), "token": secret_token_to_json(token, secret)}
