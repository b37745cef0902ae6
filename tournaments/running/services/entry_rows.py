"""Make and store entries and their seats, no matter who lets the players in."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Max

from formats.pairing.round_robin import meet_all
from formats.protocol import Order
from players.models import Player
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    Round,
    Seat,
    WaitingPlayer,
)
from tournaments.office.services.after_commit import notify_pairing
from tournaments.records.coming_rounds import groups_to_join
from tournaments.records.sides import balance_of
from tournaments.rounds.services.fixtures import start_fixtures
from tournaments.rounds.services.levels import move_levels_on
from tournaments.running.services.challenge_positions import enter_positions
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import note_entrants, store_numbers
from tournaments.tables.services.standings import mark_standings_of


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
    start_fixtures(fixtures=fixtures, competition=competition, now=now)


LOTS = 2**63


def make_entry(*, competition: Competition, player: Player, now: datetime, is_there: bool = False) -> Entry:
    """Return a new entry that is not stored yet, with its lot in the draw.

    Of who ``is_there`` it is checked in, if players check in now.
    """
    checks_in = is_there and competition.is_checking_in(now)
    return Entry(
        competition_id=competition.pk,
        player=player,
        draw=secrets.randbelow(LOTS),
        entered_at=now,
        checked_in_at=now if checks_in else None,
    )


def store_entries(*, competition: Competition, entries: Sequence[Entry], now: datetime) -> None:
    """Store entries, new or of players who return or come again, and let them play in what is running.

    Nobody of them is on the waiting list any more; the place is kept of who was taken off it for this. The number of
    queries does not depend on how many they are, but for batches. Entries have their players. The caller holds the
    competition's lock.
    """
    for entry in entries:
        entry.status, entry.waits_since, entry.left_at, entry.acted_at = EntryStatus.ACTIVE, None, None, now
        entry.inactive_since = entry.disqualified_at = None
        entry.disqualification = entry.left_as = ""
    known = [entry for entry in entries if not entry._state.adding]  # noqa: SLF001 - a new one may have an old number
    new = [entry for entry in entries if entry._state.adding]  # noqa: SLF001
    Entry.objects.bulk_create(new)
    is_running = competition.status == CompetitionStatus.RUNNING
    gathers = is_running and competition.first_stage.gathers
    seat_entries(competition=competition, entries=[*known, *new] if gathers else new)
    changed = "status waits_since left_at left_as acted_at inactive_since disqualified_at disqualification".split()
    Entry.objects.bulk_update(known, changed, batch_size=250)
    note_on_ladder(entries=known)
    store_numbers(competition_id=competition.pk)
    waited = WaitingPlayer.objects.filter(
        competition_id=competition.pk, player__in=[entry.player_id for entry in entries], moved_up_at=None
    )
    waited.exclude(removed_at=now).delete()
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        enter_positions(entries=entries, now=now)
    if is_running:
        if gathers:
            move_levels_on(competition=competition, now=now)
        elif not competition.is_endless:
            join_rounds(competition=competition, latecomers=entries, now=now)
        # By now each has a seat in the group in which they play.
        mark_standings_of(entries=entries, now=now)
        if competition.is_endless:
            notify_pairing(ladder_id=competition.pk)
    else:
        note_entrants(competition=competition, new=len(entries), now=now)


def seat_entries(*, competition: Competition, entries: Iterable[Entry]) -> None:
    """Give entries seats in the first stage: where groups form one by one, seats that wait for one once it runs."""
    group = Group.objects.filter(stage__competition_id=competition.pk).order_by("stage__number", "number")[0]
    waits = competition.first_stage.gathers and competition.status == CompetitionStatus.RUNNING
    seats = [
        Seat(
            stage_id=group.stage_id,
            group=None if waits else group,
            entry=entry,
            is_on_ladder=competition.is_endless and entry.is_in,
        )
        for entry in entries
    ]
    Seat.objects.bulk_create(seats)
