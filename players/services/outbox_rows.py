"""Claim rows of an outbox by a conditional UPDATE, and store what became of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from players.models import DeliveryState, OutboxRow

RETRY_DELAYS = [timedelta(minutes=minutes) for minutes in (2, 5, 15, 60, 180, 360)]
"""The delays after each attempt; the last one holds for all that follow."""

MAX_ERROR_LENGTH = 500


def claim(row: OutboxRow, *, now: datetime) -> bool:
    """Claim a row until its next attempt is due; return ``False`` if another worker has claimed it."""
    unclaimed = type(row)._default_manager.filter(  # noqa: SLF001 - Django's way to a model's manager
        pk=row.pk, state=DeliveryState.PENDING, attempts=row.attempts, next_attempt_at=row.next_attempt_at
    )
    pause = RETRY_DELAYS[min(row.attempts, len(RETRY_DELAYS) - 1)]
    return bool(unclaimed.update(attempts=row.attempts + 1, next_attempt_at=now + pause))


def finish(rows: Sequence[OutboxRow], state: DeliveryState, *, now: datetime) -> None:
    """Store that pending rows of one kind were sent, dropped or given up."""
    for row in rows[:1]:
        pending = type(row)._default_manager.filter(  # noqa: SLF001
            pk__in=[each.pk for each in rows], state=DeliveryState.PENDING
        )
        pending.update(state=state, done_at=now)


def note_error(rows: Sequence[OutboxRow], error: Exception) -> None:
    """Store why rows of one kind could not be sent."""
    for row in rows[:1]:
        tried = type(row)._default_manager.filter(pk__in=[each.pk for each in rows])  # noqa: SLF001
        tried.update(last_error=error_text(error)[:MAX_ERROR_LENGTH])


def error_text(error: Exception) -> str:
    """Return an error in words that can be stored."""
    return f"{type(error).__name__}: {error}".replace("\0", "")
