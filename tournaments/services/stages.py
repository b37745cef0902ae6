"""Store stages, their groups, and who has a seat in them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from tournaments.formats.options import write_options
from tournaments.models import Competition, Entry, Group, Seat, Stage


def store_competition(*, competition: Competition, stage: Stage) -> None:
    """Store a new competition with its first stage, and the group of it.

    What the stage does not say of its options and of its table's order is as its format has it. Raises
    ``InvalidOptions``.
    """
    stage.options = write_options(stage.chosen_options)
    stage.tiebreaks = stage.tiebreaks or list(stage.format_spec.tiebreaks)
    with transaction.atomic():
        competition.save(force_insert=True)
        stage.competition = competition
        stage.save(force_insert=True)
        Group.objects.create(stage=stage)


def seat_entries(*, competition: Competition, entries: Iterable[Entry]) -> None:
    """Give new entries their seats in the first stage."""
    group = Group.objects.filter(stage__competition_id=competition.pk).order_by("stage__number", "number")[0]
    Seat.objects.bulk_create([Seat(stage_id=group.stage_id, group=group, entry=entry) for entry in entries])
