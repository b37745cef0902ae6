"""Add latecomers to a running round robin whose matches all begin at the start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max

from rules_engine.values import BySide
from tournaments.models import Cup, Entry, EntryStatus, Fixture, Round
from tournaments.services.fixtures import forfeit_without_play, start_fixtures


def join_round_robin(*, cup: Cup, latecomers: Sequence[Entry], now: datetime) -> None:
    """Let each latecomer meet everybody as often as all others do, in an added round; the caller holds the lock.

    Latecomers are stored and have their players. Later ones in the list also meet those before them. Sides
    alternate, and swap in the second cycle. Who has left loses to a latecomer as they have lost to all others.
    """
    others = list(
        Entry.objects.filter(competition_id=cup.pk, seed__isnull=False)
        .exclude(status=EntryStatus.REPLACED)
        .select_related("player")
        .order_by("seed")
    )
    last = Round.objects.filter(cup=cup).aggregate(last=Max("number"))["last"] or 0
    rounds = Round.objects.bulk_create(
        [Round(cup=cup, number=last + number, started_at=now) for number, _ in enumerate(latecomers, start=1)]
    )
    fixtures = []
    for entry, round_ in zip(latecomers, rounds, strict=True):
        for cycle in range(cup.first_stage.chosen_options.cycles):
            for number, other in enumerate(others):
                sides = BySide(entry, other) if (number + cycle) % 2 else BySide(other, entry)
                fixtures.append(
                    Fixture(competition_id=cup.pk, round=round_, yellow=sides.yellow, red=sides.red, created_at=now)
                )
        entry.seed = max((other.seed or 0 for other in others), default=0) + 1
        others.append(entry)
    Entry.objects.bulk_update(latecomers, ["seed"], batch_size=250)
    forfeit_without_play(
        competition=cup, fixtures=[each for each in fixtures if not (each.yellow.is_in and each.red.is_in)], now=now
    )
    start_fixtures(
        fixtures=[each for each in fixtures if each.yellow.is_in and each.red.is_in], competition=cup, now=now
    )
