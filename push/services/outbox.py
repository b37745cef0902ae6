"""The outbox of pushes: one row for each device before anything is sent; a queued task or a sweep sends them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from celery import current_app
from django.db import transaction

from players.models import DeliveryState
from push.models import SWITCHES, Push, PushKind, PushSubscription
from push.quiet_hours import end_of_quiet
from push.selectors import settings_among

SEND_DUE = "push.tasks.send_due_pushes"
BATCH = 500


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell a player: of these kinds the first that they have not switched off.

    ``about`` leads to the facts when it is written. ``key`` is unique, so that each device is told once. Of one
    ``topic`` nothing is told before the last was opened. What was ``dated`` before a device was subscribed is not told
    there.
    """

    player_id: int
    kinds: tuple[PushKind, ...]
    key: str
    topic: str
    about: dict[str, Any]
    dated: datetime
    match: int | None = None


def post(*, notices: Iterable[Notice], now: datetime) -> int:
    """Put notices into the outbox for each device of their players, and return how many rows were tried.

    In quiet hours they wait until those are over.
    """
    by_player: dict[int, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_player[notice.player_id].append(notice)
    devices = PushSubscription.objects.filter(player__in=by_player, player__is_active=True).select_related("player")
    wishes = settings_among(by_player)
    rows = []
    for device in devices:
        chosen = wishes[device.player_id]
        when = end_of_quiet(chosen, zone=device.player.zone, now=now)
        for notice in by_player[device.player_id]:
            kind = next((kind for kind in notice.kinds if getattr(chosen, SWITCHES[kind])), None)
            if kind is not None and notice.dated > device.created_at:
                rows.append(_row(notice, device, kind, now, when))
    with transaction.atomic():
        Push.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)
        if rows:
            transaction.on_commit(notify_outbox, robust=True)
    return len(rows)


def _row(notice: Notice, device: PushSubscription, kind: PushKind, now: datetime, when: datetime) -> Push:
    return Push(
        subscription=device,
        kind=kind,
        key=notice.key,
        topic=notice.topic,
        about=notice.about,
        match=notice.match,
        state=DeliveryState.PENDING,
        created_at=now,
        next_attempt_at=when,
    )


def notify_outbox() -> None:
    """Queue the task that sends what is due; the sweep does it where this is lost."""
    current_app.send_task(SEND_DUE, retry=False)
