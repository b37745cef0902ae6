"""Stored responses of requests with an ``Idempotency-Key``, so that each is run once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from web.api.idempotency.keys import KEY_LIFETIME, read_key
from web.errors import IdempotencyKeyReused
from web.models import IdempotentResponse


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of a response, its body as JSON (``""`` for none), and its own headers."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)


def respond_once(*, player_id: int, key: str, fingerprint: str, now: datetime, answer: Callable[[], Answer]) -> Answer:
    """Return what ``answer`` returns, or what it returned to the player's first request with this key.

    A key is kept for ``KEY_LIFETIME``, but not if ``answer`` raised: then nothing has changed. Of two such requests at
    the same time the second waits for the first. Raises ``InvalidIdempotencyKey`` unless the key is 1 to 255 printable
    ASCII characters, and ``IdempotencyKeyReused`` if it came with a request of another ``fingerprint``.
    """
    key = read_key(key)
    with transaction.atomic():
        kept = IdempotentResponse.objects.filter(player_id=player_id, key=key)
        kept.filter(created_at__lte=now - KEY_LIFETIME).delete()
        try:
            with transaction.atomic():
                claim = IdempotentResponse.objects.create(
                    player_id=player_id, key=key, fingerprint=fingerprint, status=0, body="", created_at=now
                )
        except IntegrityError:
            stored = kept.get()
            if stored.fingerprint != fingerprint:
                raise IdempotencyKeyReused(_("This Idempotency-Key was used with another request before.")) from None
            return Answer(stored.status, stored.body, stored.headers)
        given = answer()
        claim.status, claim.body, claim.headers = given.status, given.body, given.headers
        claim.save(update_fields=["status", "body", "headers"])
    return given


def find_response(*, key: str, now: datetime) -> IdempotentResponse | None:
    """Return the response that was stored with a key, whoever sent it, with its player."""
    kept = IdempotentResponse.objects.filter(key=key, created_at__gt=now - KEY_LIFETIME)
    return kept.select_related("player").first()


def forget_response(*, player_id: int, key: str) -> None:
    """Let a key be used again."""
    IdempotentResponse.objects.filter(player_id=player_id, key=key).delete()


def forget_responses(*, now: datetime) -> None:
    """Delete the responses that were stored ``KEY_LIFETIME`` ago or earlier."""
    IdempotentResponse.objects.filter(created_at__lte=now - KEY_LIFETIME).delete()
