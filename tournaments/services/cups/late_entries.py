"""Add latecomers to a running cup in rounds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max

from tournaments.models import Cup, Entry, Fixture, Round, Seat
from tournaments.pairing.round_robin import meet_all
from tournaments.selectors.groups import first_group_id
from tournaments.selectors.sides import balance_of
from tournaments.services.fixtures import forfeit_without_play, start_fixtures


def join_rounds(*, cup: Cup, latecomers: Sequence[Entry], now: datetime) -> None:
    """Let latecomers play: from the next round on where that follows from the results, else in rounds of their own.

    Latecomers are stored and have their players. The caller holds the competition's lock.
    """
    group_id = first_group_id(competition_id=cup.pk)
    seated = list(
        Seat.objects.filter(group_id=group_id, seed__isnull=False).select_related("entry__player").order_by("seed")
    )
    _seed(group_id, latecomers, after=max((seat.seed or 0 for seat in seated), default=0))
    if not cup.first_stage.abilities.pairs_by_results:
        _add_rounds(cup, group_id, latecomers, [seat.entry for seat in seated], now)


def _seed(group_id: int, latecomers: Sequence[Entry], *, after: int) -> None:
    own = {seat.entry_id: seat for seat in Seat.objects.filter(group_id=group_id, entry__in=latecomers)}
    for number, entry in enumerate(latecomers, start=after + 1):
        own[entry.pk].seed = number
    Seat.objects.bulk_update(own.values(), ["seed"], batch_size=250)


def _add_rounds(cup: Cup, group_id: int, latecomers: Sequence[Entry], others: list[Entry], now: datetime) -> None:
    """Let each latecomer meet everybody as often as all others do, in an added round.

    Later ones in the list also meet those before them. Who has left loses to a latecomer as they have lost to all
    others.
    """
    last = Round.objects.filter(group_id=group_id).aggregate(last=Max("number"))["last"] or 0
    rounds = Round.objects.bulk_create(
        [Round(group_id=group_id, number=last + number, started_at=now) for number, _ in enumerate(latecomers, start=1)]
    )
    seated = {entry.pk: entry for entry in (*others, *latecomers)}
    balance = balance_of(entries=list(seated))
    cycles = cup.first_stage.chosen_options.cycles
    fixtures = []
    for entry, round_ in zip(latecomers, rounds, strict=True):
        pairs = meet_all(entry.pk, [other.pk for other in others], cycles, balance, lambda key: seated[key].is_in)
        for yellow, red in pairs:
            fixtures.append(
                Fixture(
                    competition_id=cup.pk,
                    group_id=group_id,
                    round=round_,
                    yellow=seated[yellow],
                    red=seated[red],
                    created_at=now,
                )
            )
        others.append(entry)
    forfeit_without_play(
        competition=cup, fixtures=[each for each in fixtures if not (each.yellow.is_in and each.red.is_in)], now=now
    )
    start_fixtures(
        fixtures=[each for each in fixtures if each.yellow.is_in and each.red.is_in], competition=cup, now=now
    )
