"""The outbox: a mail is a row, stored in the transaction that it reports; a queued task or a sweep sends it."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import transaction

from players.models import TO_OTHER_EMAILS, Delivery, DeliveryState, MailKind
from players.selectors import players_to_mail

SEND_DUE = "players.tasks.send_due_mails"
BATCH = 1000

ALWAYS_POSTED = TO_OTHER_EMAILS | {MailKind.KNOWN_EMAIL}
"""The kinds posted to everybody: the cost of the last must not reveal whether an e-mail is known."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to post. ``about`` leads the kind's writer to the facts; ``key`` is unique, so that it is sent once."""

    player_id: int
    kind: MailKind
    key: str
    about: dict[str, Any]


def post(*, letters: Iterable[Letter], now: datetime, delay: timedelta = timedelta()) -> int:
    """Put letters into the outbox, queue the task that sends them after the commit, and return how many were added.

    Letters are left out that their players do not want, or cannot get without a confirmed e-mail. Letters
    that were posted before are not posted again. They are not sent before the ``delay`` is over.
    """
    by_kind: dict[MailKind, list[Letter]] = defaultdict(list)
    for letter in letters:
        by_kind[letter.kind].append(letter)
    deliverable = [letter for kind, posted in by_kind.items() for letter in _filter_deliverable(kind, posted)]
    Delivery.objects.bulk_create(
        [
            Delivery(
                player_id=letter.player_id,
                kind=letter.kind,
                key=letter.key,
                about=letter.about,
                created_at=now,
                next_attempt_at=now + delay,
            )
            for letter in deliverable
        ],
        batch_size=BATCH,
        ignore_conflicts=True,
    )
    if deliverable:
        transaction.on_commit(notify_outbox, robust=True)
    return len(deliverable)


def retry_deliveries(*, ids: Collection[int], now: datetime) -> int:
    """Send mails that are pending or given up once more, at once; return how many will be tried.

    Those given up get another three days. A letter that was sent is not sent again.
    """
    with transaction.atomic():
        waiting = Delivery.objects.filter(pk__in=ids, state=DeliveryState.PENDING).update(next_attempt_at=now)
        revived = Delivery.objects.filter(pk__in=ids, state=DeliveryState.FAILED).update(
            state=DeliveryState.PENDING, next_attempt_at=now, created_at=now, done_at=None
        )
        transaction.on_commit(notify_outbox, robust=True)
    return waiting + revived


def _filter_deliverable(kind: MailKind, letters: list[Letter]) -> list[Letter]:
    if kind in ALWAYS_POSTED:
        return letters
    players = {letter.player_id for letter in letters}
    reachable = set(players_to_mail(kind=kind).filter(pk__in=players).values_list("pk", flat=True))
    return [letter for letter in letters if letter.player_id in reachable]


def notify_outbox() -> None:
    """Queue the task that sends what is due; the sweep does it where this is lost."""
    current_app.send_task(SEND_DUE, retry=False)
