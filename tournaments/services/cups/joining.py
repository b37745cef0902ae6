"""Coming late to a round robin whose matches all begin at the start."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max

from rules_engine.values import BySide
from tournaments.models import Cup, Entry, EntryStatus, Fixture, Round
from tournaments.services.fixtures import forfeit_without_play, start_fixture


def join_round_robin(*, cup: Cup, entry: Entry, now: datetime) -> None:
    """Let a latecomer meet everybody as often as all others do, in a round more; the caller holds the event's lock.

    Sides alternate, and swap in the second cycle. Who has left loses to him as he has lost to all others.
    """
    others = list(
        Entry.objects.filter(event_id=cup.pk, seed__isnull=False)
        .exclude(status=EntryStatus.REPLACED)
        .select_related("player")
        .order_by("seed")
    )
    entry.seed = max((other.seed or 0 for other in others), default=0) + 1
    entry.save(update_fields=["seed"])
    last = Round.objects.filter(cup=cup).aggregate(last=Max("number"))["last"] or 0
    round_ = Round.objects.create(cup=cup, number=last + 1, started_at=now)
    for cycle in range(cup.cycles):
        for number, other in enumerate(others):
            sides = BySide(entry, other) if (number + cycle) % 2 else BySide(other, entry)
            fixture = Fixture.objects.create(
                event_id=cup.pk, round=round_, yellow=sides.yellow, red=sides.red, created_at=now
            )
            if other.is_in:
                start_fixture(fixture=fixture, event=cup, now=now)
            else:
                forfeit_without_play(event=cup, fixtures=[fixture], now=now)
