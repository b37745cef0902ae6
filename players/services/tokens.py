"""Making, using and revoking API tokens."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _

from players.errors import InvalidDetails, TokenNotFound, TooManyTokens
from players.models import ApiToken, Player, Scope
from players.selectors import digest_of
from players.texts import is_storable

SECRET_PREFIX = "kick_"  # noqa: S105 - what every secret begins with
MOST_TOKENS = 50
LONGEST_NAME = 60
USE_NOTED_EVERY = timedelta(minutes=1)


def create_token(
    *, player: Player, name: str, scopes: Collection[str], expires_at: datetime | None = None, now: datetime
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is shown now or never: only a digest of its 256 bits is kept.

    Raises InvalidDetails, and TooManyTokens when the player holds 50 already.
    """
    name = name.strip()
    fields = {}
    if not name or len(name) > LONGEST_NAME or not is_storable(name):
        fields["name"] = [_("A token's name is 1 to %d characters.") % LONGEST_NAME]
    if not scopes or not set(scopes) <= set(Scope.values):
        fields["scopes"] = [_("Choose one or more of: %s.") % ", ".join(Scope.values)]
    if expires_at is not None and expires_at <= now:
        fields["expires_at"] = [_("This moment has passed.")]
    if fields:
        raise InvalidDetails(fields)
    if player.tokens.count() >= MOST_TOKENS:
        raise TooManyTokens(_("You have %d tokens. Revoke one first.") % MOST_TOKENS)
    secret = SECRET_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        player=player,
        name=name,
        digest=digest_of(secret),
        prefix=secret[: len(SECRET_PREFIX) + 4],
        scopes=[scope for scope in Scope.values if scope in scopes],
        created_at=now,
        expires_at=expires_at,
    )
    return token, secret


def revoke_token(*, player: Player, token_id: int) -> None:
    """Delete the player's token: no request with its secret is answered from now on. Raises TokenNotFound."""
    deleted, _by_model = ApiToken.objects.filter(pk=token_id, player=player).delete()
    if not deleted:
        raise TokenNotFound(_("You have no such token."))


def revoke_all_tokens(*, player: Player) -> int:
    """Delete all tokens of the player and return how many there were."""
    deleted, _by_model = ApiToken.objects.filter(player=player).delete()
    return deleted


def note_use(*, token: ApiToken, now: datetime) -> None:
    """Remember when the token was last used, to the minute: most requests write nothing."""
    if token.last_used_at is None or now - token.last_used_at >= USE_NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
