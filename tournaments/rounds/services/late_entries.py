"""Add latecomers to a running cup in rounds."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max

from formats.pairing.round_robin import meet_all
from tournaments.models import Competition, Entry, Fixture, Group, Round, Seat
from tournaments.records.coming_rounds import groups_to_join
from tournaments.records.sides import balance_of
from tournaments.rounds.services.fixtures import forfeit_without_play, start_fixtures


def join_rounds(*, competition: Competition, latecomers: Sequence[Entry], now: datetime) -> None:
    """Let latecomers play: from the next round on where that follows from the results, else in rounds of their own.

    Where there are several groups, each of them joins the one with the fewest players of those in which they would
    play. Latecomers are stored, in the first group, and have their players. The caller holds the competition's lock.
    """
    groups = groups_to_join(competition)
    seated: dict[int, list[Seat]] = {group.pk: [] for group in groups}
    seats = Seat.objects.filter(group__in=groups, seed__isnull=False).select_related("entry__player")
    for seat in seats.order_by("seed"):
        seated[seat.group_id or 0].append(seat)
    own = {
        seat.entry_id: seat
        for seat in Seat.objects.filter(stage__in={group.stage_id for group in groups}, entry__in=latecomers)
    }
    joining: dict[int, list[Entry]] = {group.pk: [] for group in groups}
    for entry in latecomers:
        group = min(groups, key=lambda group: (len(seated[group.pk]) + len(joining[group.pk]), group.number))
        joining[group.pk].append(entry)
        last = max((seat.seed or 0 for seat in seated[group.pk]), default=0)
        own[entry.pk].group, own[entry.pk].seed = group, last + len(joining[group.pk])
    Seat.objects.bulk_update(own.values(), ["group", "seed"], batch_size=250)
    for group in groups:
        if joining[group.pk] and not group.stage.abilities.pairs_by_results:
            _add_rounds(group, joining[group.pk], [seat.entry for seat in seated[group.pk]], now)


def _add_rounds(group: Group, latecomers: Sequence[Entry], others: list[Entry], now: datetime) -> None:
    """Let each latecomer meet everybody as often as all others do, in an added round.

    Later ones in the list also meet those before them. An entrant who has left loses to a latecomer as they have lost
    to all others.
    """
    competition = group.competition
    last = Round.objects.filter(group=group).aggregate(last=Max("number"))["last"] or 0
    rounds = Round.objects.bulk_create(
        [Round(group=group, number=last + number, started_at=now) for number, _ in enumerate(latecomers, start=1)]
    )
    seated = {entry.pk: entry for entry in (*others, *latecomers)}
    balance = balance_of(entries=list(seated))
    cycles = group.stage.chosen_options.cycles
    fixtures = []
    for entry, round_ in zip(latecomers, rounds, strict=True):
        pairs = meet_all(entry.pk, [other.pk for other in others], cycles, balance, lambda key: seated[key].is_in)
        for yellow, red in pairs:
            fixtures.append(
                Fixture(
                    competition_id=competition.pk,
                    group=group,
                    round=round_,
                    yellow=seated[yellow],
                    red=seated[red],
                    created_at=now,
                )
            )
        others.append(entry)
    gone = [each for each in fixtures if not (each.yellow.is_in and each.red.is_in)]
    forfeit_without_play(competition=competition, fixtures=gone, now=now)
    start_fixtures(
        fixtures=[each for each in fixtures if each.yellow.is_in and each.red.is_in], competition=competition, now=now
    )
