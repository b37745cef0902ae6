"""Create, use and revoke API tokens."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from database.compiled_queries import CompiledUpdate
from database.named_locks import lock_name
from players.errors import TokenNotFound, TooManyTokens
from players.models import ApiToken, Player, Scope
from players.selectors import digest_of
from web.api.idempotency.keys import KEY_LIFETIME, read_key
from web.errors import IdempotencyKeyReused, InvalidDetails
from web.written_texts import clean_name

SECRET_PREFIX = "kick_"  # noqa: S105 - what every secret begins with
MAX_TOKENS = 50
MAX_NAME_LENGTH = 60
USE_INTERVAL = timedelta(minutes=1)

_USE = CompiledUpdate(
    lambda token_id, now, before: ApiToken.objects.filter(
        Q(last_used_at=None) | Q(last_used_at__lte=before), pk=token_id
    ),
    last_used_at="now",
)


def create_token(
    *,
    player: Player,
    name: str,
    scopes: Collection[str],
    expires_at: datetime | None = None,
    now: datetime,
    key: str | None = None,
) -> tuple[ApiToken, str]:
    """Return a new token and its secret, which is shown now or never: only a digest of its 256 bits is kept.

    With a ``key`` the same request gives the same token and secret again for 24 hours, unless the token was revoked.
    Raises InvalidDetails, TooManyTokens when the player holds 50 already, and for keys InvalidIdempotencyKey and
    IdempotencyKeyReused.
    """
    fields: dict[str, list[str]] = {}
    try:
        name = clean_name(name)
    except InvalidDetails as error:
        fields |= error.fields
    if len(name) > MAX_NAME_LENGTH:
        fields["name"] = [_("A token's name has at most %d characters.") % MAX_NAME_LENGTH]
    if not scopes or not set(scopes) <= set(Scope.values):
        fields["scopes"] = [_("Choose one or more of: %s.") % ", ".join(Scope.values)]
    if expires_at is not None and expires_at <= now:
        fields["expires_at"] = [_("This time is in the past.")]
    if fields:
        raise InvalidDetails(fields)
    details = {"name": name, "scopes": [scope for scope in Scope.values if scope in scopes], "expires_at": expires_at}
    key = None if key is None else read_key(key)
    with transaction.atomic():
        lock_name(f"tokens of player {player.pk}")
        if key is not None and (earlier := _earlier_token(player, key, now)) is not None:
            if any(getattr(earlier, field) != value for field, value in details.items()):
                raise IdempotencyKeyReused(_("This Idempotency-Key was used with another request before."))
            return earlier, _secret_again(earlier, key)
        if player.tokens.count() >= MAX_TOKENS:
            raise TooManyTokens(_("You have %d tokens. Revoke one first.") % MAX_TOKENS)
        secret = (
            SECRET_PREFIX + secrets.token_urlsafe(32)
            if key is None
            else _derive_secret(player.pk, key, now, settings.SECRET_KEY)
        )
        token = ApiToken.objects.create(
            player=player,
            **details,
            digest=digest_of(secret),
            prefix=secret[: len(SECRET_PREFIX) + 4],
            request_digest="" if key is None else digest_of(key),
            created_at=now,
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
    if token.last_used_at is None or now - token.last_used_at >= USE_INTERVAL:
        _USE.run(token_id=token.pk, now=now, before=now - USE_INTERVAL)


def _earlier_token(player: Player, key: str, now: datetime) -> ApiToken | None:
    """Return the token that the player got by this key, and forget keys that are too old."""
    by_key = ApiToken.objects.filter(player=player, request_digest=digest_of(key))
    by_key.filter(created_at__lte=now - KEY_LIFETIME).update(request_digest="")
    return by_key.first()


def _secret_again(token: ApiToken, key: str) -> str:
    """Return the secret of a token that was made with this key. Raises IdempotencyKeyReused if it cannot be had."""
    for secret_key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        secret = _derive_secret(token.player_id, key, token.created_at, secret_key)
        if digest_of(secret) == token.digest:
            return secret
    raise IdempotencyKeyReused(
        _("The token was created, but its secret cannot be shown again. Revoke it and create another one.")
    )


def _derive_secret(player_id: int, key: str, at: datetime, secret_key: str) -> str:
    """Return the secret of the token that was asked for with a key at a moment.

    So it can be returned again without being stored. The database alone does not reveal it without ``SECRET_KEY``.
    """
    request = f"{player_id} {at.astimezone(UTC).isoformat()} {key}"
    derived = salted_hmac("players.tokens", request, secret=secret_key, algorithm="sha256").digest()
    return SECRET_PREFIX + urlsafe_b64encode(derived).decode().rstrip("=")
