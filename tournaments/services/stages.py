"""Store stages, their groups, and who has a seat in them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from tournaments.models import Competition, Entry, Group, Seat, Stage


def store_competition(*, competition: Competition) -> None:
    """Store a new competition with its first stage, and the group of it."""
    with transaction.atomic():
        competition.save(force_insert=True)
        Group.objects.create(stage=Stage.objects.create(competition_id=competition.pk))


def seat_entries(*, competition: Competition, entries: Iterable[Entry]) -> None:
    """Give new entries their seats in the first stage."""
    group = Group.objects.filter(stage__competition_id=competition.pk).order_by("stage__number", "number")[0]
    Seat.objects.bulk_create([Seat(stage_id=group.stage_id, group=group, entry=entry) for entry in entries])
