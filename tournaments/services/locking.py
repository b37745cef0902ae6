"""The lock under which an event changes."""

from __future__ import annotations

from tournaments.errors import NO_EVENT, EventNotFound
from tournaments.models import Event


def lock_event(*, event_id: int) -> Event:
    """Return the event, locked until the transaction ends: whoever changes an event or its entries holds it.

    Locks come before those of matches, everywhere. Raises ``EventNotFound``.
    """
    event = Event.objects.select_for_update(no_key=True).filter(pk=event_id).first()
    if event is None:
        raise EventNotFound(NO_EVENT)
    return event
