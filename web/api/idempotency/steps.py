"""Requests of several steps: each is done once, in a transaction of its own, and a request sent again goes on."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from web.api.idempotency.keys import KEY_LIFETIME, read_key
from web.api.idempotency.responses import Answer, respond_once
from web.errors import DomainError, IdempotencyKeyReused
from web.models import IdempotentResponse

UNFINISHED = 0
"""The status of a request of which not every step is done."""

MAX_CLAIMS = 3


@dataclass(frozen=True, slots=True)
class Steps:
    """Does the steps of one request; without a ``key``, whenever it is asked."""

    player_id: int
    key: str
    fingerprint: str
    now: datetime

    def do(self, name: str, step: Callable[[], Any]) -> Any:
        """Return what a step returns, as JSON has it, or what it returned when the request first came.

        The step and its answer are stored in one transaction, and in no other. An exception leaves nothing of it, and
        neither does an answer that cannot be written.
        """
        with transaction.atomic():
            if not self.key:
                return json.loads(json.dumps(step()))
            given = respond_once(
                player_id=self.player_id,
                key=sha256(repr([self.key, self.fingerprint, name]).encode()).hexdigest(),
                fingerprint=self.fingerprint,
                now=self.now,
                answer=lambda: Answer(200, json.dumps(step())),
            )
        return json.loads(given.body)


def respond_in_steps(
    *, player_id: int, key: str, fingerprint: str, now: datetime, answer: Callable[[Steps], Answer]
) -> Answer:
    """Return what ``answer`` makes of steps that are each done once, or what it returned to this key before.

    Unlike ``respond_once`` it holds no transaction: what is done stays done if the process dies, and the same request
    sent again does the rest. Two at the same time share the steps between them. Raises ``InvalidIdempotencyKey`` and
    ``IdempotencyKeyReused`` as ``respond_once`` does.
    """
    key = read_key(key)
    stored = _claim(player_id, key, fingerprint, now)
    if stored.status != UNFINISHED:
        return Answer(stored.status, stored.body, stored.headers)
    kept = IdempotentResponse.objects.filter(pk=stored.pk)
    try:
        given = answer(Steps(player_id, key, fingerprint, now))
    except (DomainError, APIException, Http404, PermissionDenied):
        # It was refused as a whole: the key may be used for what is sent instead.
        kept.filter(status=UNFINISHED).delete()
        raise
    kept.update(status=given.status, body=given.body, headers=given.headers)
    return given


def _claim(player_id: int, key: str, fingerprint: str, now: datetime) -> IdempotentResponse:
    """Return the row of this key, stored before anything is done, so that no other request takes the key."""
    kept = IdempotentResponse.objects.filter(player_id=player_id, key=key)
    kept.filter(created_at__lte=now - KEY_LIFETIME).delete()
    about = {"fingerprint": fingerprint, "status": UNFINISHED, "body": "", "created_at": now}
    for tries_left in reversed(range(MAX_CLAIMS)):
        try:
            stored, _is_new = kept.get_or_create(player_id=player_id, key=key, defaults=about)
            break
        except IntegrityError:
            # Another request held the key and was refused since, so that the key is free again.
            if not tries_left:
                raise
    if stored.fingerprint != fingerprint:
        raise IdempotencyKeyReused(_("This Idempotency-Key was used with another request before."))
    return stored
