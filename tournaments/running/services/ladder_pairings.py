"""Start the games that ladders lack.

A ladder of which a pairing has started all games that it could is looked at again when something changes, or when time
alone may let one start. ``Competition.pairing_due_at`` says when that is, and a service that locks the ladder to
change it empties this in the same transaction: nothing is lost when a worker or the broker dies. Games are chosen
without the lock and started in batches under it; a batch that finds the ladder changed meanwhile chooses anew.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain

from django.db import transaction

from database.isolation import attempt_each
from formats.challenge_ladder import PLAYERS
from formats.pairing.ladder import Seat
from formats.pairing.ladder import pair_ladder as choose_games
from formats.protocol import Order
from tournaments.models import Competition, CompetitionStatus, Entry
from tournaments.office.services.after_commit import notify_pairing
from tournaments.office.services.locks import lock_competition
from tournaments.records.challenges import entries_choosing, read_challenge_ladder
from tournaments.records.groups import first_group_id
from tournaments.records.ladders import (
    Lacking,
    challengers_lacking_games,
    entries_to_look_at,
    ladders_to_pair,
    pairing_due,
    pairs_barred,
    players_lacking_games,
    start_of_day,
)
from tournaments.records.sides import balance_of
from tournaments.rounds.services.fixtures import new_fixture, start_fixtures
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.departure import let_go, note_waiting
from tournaments.tables.services.known_games import note_games
from tournaments.tables.services.standings import recompute_if_stale

MAX_GAMES = 500
"""The most games that are started at once."""

BATCH = 50
"""The most games that are started under one lock: less than a tenth of a second of work."""

WINDOW = 1000
"""The most of those who lack games that are looked at first, from the top; others only if these make too few games."""

Game = tuple[int, int, int | None]
"""Two entries, and which of them is the challenger if there is one."""


def pair_ladder(*, ladder_id: int, now: datetime, limit: int = MAX_GAMES) -> int:
    """Start the games that a running ladder lacks, ``limit`` at most at once, and return how many.

    Before that, everything that is over or overdue is counted and the table recomputed, so that a player who has lost
    on time, and not acted since, gets none. The table of a large ladder takes its time, and so does choosing the games:
    nobody else waits for the ladder's lock meanwhile. Work at the end of a day, such as leaving for doing
    nothing, is due then.
    """
    with transaction.atomic():
        ladder = lock_competition(competition_id=ladder_id, is_to_change=False)
        catch_up(competition=ladder, now=now)
        if ladder.status != CompetitionStatus.RUNNING:
            return 0
        if ladder.paused_at is not None:
            _store_due(ladder, _midnight_after(now))
            return 0
        _prepare(ladder, now)
        group_id = first_group_id(competition_id=ladder_id)
    recompute_if_stale(group_id=group_id, now=now, is_pairing=True)
    games, later = _choose(ladder, now, limit)
    started = 0
    while True:
        with transaction.atomic():
            ladder = lock_competition(competition_id=ladder_id, is_to_change=False)
            if ladder.pairing_due_at != now:
                # It has changed since the games were chosen.
                catch_up(competition=ladder, now=now)
                if ladder.status != CompetitionStatus.RUNNING or ladder.paused_at is not None:
                    return started
                _prepare(ladder, now)
                games, later = _choose(ladder, now, limit - started)
            batch, games = games[:BATCH], games[BATCH:]
            begun = _start_all(ladder, group_id, batch, now)
            started += begun
            is_whole = begun == len(batch)
            if is_whole and games:
                continue
            is_noted = note_games(ladder=ladder)
            if started == limit or not is_whole:
                # It stays due.
                notify_pairing(ladder_id=ladder_id)
            else:
                midnight = _midnight_after(now)
                _store_due(ladder, midnight if later is None else min(later, midnight))
        break
    while not is_noted:
        with transaction.atomic():
            is_noted = note_games(ladder=lock_competition(competition_id=ladder_id, is_to_change=False))
    return started


def pair_if_due(*, ladder_id: int, now: datetime) -> int:
    """Start the games that a running ladder lacks and return how many; one that can lack none is not locked."""
    is_due = Competition.objects.filter(pairing_due(now), pk=ladder_id).exists()
    return pair_ladder(ladder_id=ladder_id, now=now) if is_due else 0


def pair_ladders(*, now: datetime) -> int:
    """Start the games that all running ladders lack and return how many; one that fails stops none of the others."""
    return sum(
        attempt_each(
            ladders_to_pair(now),
            lambda ladder_id: pair_ladder(ladder_id=ladder_id, now=now),
            event="ladder_not_paired",
            key="ladder_id",
        )
    )


def _prepare(ladder: Competition, now: datetime) -> None:
    """Let leave and wait who have to before games are chosen, and note that the ladder is due and being paired.

    A service that changes it while it is not locked empties this.
    """
    let_go(competition=ladder, now=now)
    note_waiting(ladder=ladder, among=entries_to_look_at(ladder))
    _store_due(ladder, now)


def _store_due(ladder: Competition, moment: datetime) -> None:
    ladder.pairing_due_at = moment
    ladder.save(update_fields=["pairing_due_at"])


def _midnight_after(now: datetime) -> datetime:
    return start_of_day(now) + timedelta(days=1)


def _choose(ladder: Competition, now: datetime, limit: int) -> tuple[list[Game], datetime | None]:
    """Return games to start, and when time alone lets more start if these are all."""
    if ladder.first_stage.format_spec.order is Order.POSITIONS:
        return _choose_challenges(ladder, now, limit)
    window = WINDOW
    while True:
        lacking = players_lacking_games(ladder, limit=window)
        games, later = _choose_games(ladder, lacking, now)
        if len(games) >= limit or len(lacking) < window:
            return [(*game, None) for game in games[:limit]], later
        window *= 4


def _choose_games(
    ladder: Competition, lacking: Sequence[Lacking], now: datetime
) -> tuple[list[tuple[int, int]], datetime | None]:
    if len(lacking) < 2:
        return [], None
    among = [each.entry_id for each in lacking] if len(lacking) <= WINDOW else None
    barred: dict[int, set[int]] = defaultdict(set)
    pairs = pairs_barred(ladder, now, among)
    for one, other, _until in pairs:
        barred[one].add(other)
    games_each = ladder.first_stage.chosen_options.games_each
    games = choose_games([Seat(each.entry_id, each.running) for each in lacking], barred, games_each=games_each)
    wanted = Counter({each.entry_id: games_each - each.running for each in lacking})
    wanted.subtract(chain.from_iterable(games))
    moments = [until for one, other, until in pairs if until is not None and wanted[one] > 0 and wanted[other] > 0]
    return games, min(moments, default=None)


def _choose_challenges(ladder: Competition, now: datetime, limit: int) -> tuple[list[Game], datetime | None]:
    """Return challenges to start, from the top; places are read only of those who lack games, and within their reach.

    Those lower on the ladder take nothing from those above, so it does not matter how many are looked at. None where
    players alone choose.
    """
    if ladder.first_stage.chosen_options.challenges_by == PLAYERS:
        return [], None
    window = WINDOW
    while True:
        lacking = challengers_lacking_games(ladder, limit=window)
        choosing = entries_choosing(ladder, now, among=lacking)
        challengers = {key: position for key, position in lacking.items() if key not in choosing}
        state = read_challenge_ladder(ladder, now, challengers=challengers)
        games = state.start_games(now, choosing=choosing)
        if len(games) >= limit or len(lacking) < window:
            chosen = games[:limit]
            return [(each.challenger, each.opponent, each.challenger) for each in chosen], state.next_start(choosing)
        window *= 4


def _start_all(ladder: Competition, group_id: int, games: Sequence[Game], now: datetime) -> int:
    """Start games, and return how many; as many queries for any number of them.

    Those of players whose accounts have been closed since they were chosen are left out.
    """
    if not games:
        return 0
    entries = _load_entries(key for one, other, _challenger in games for key in (one, other))
    games = [game for game in games if all(entries[key].player.is_active for key in game[:2])]
    balance = balance_of(entries=list(entries))
    fixtures = []
    for one, other, challenger in games:
        sides = balance.give(one, other).map(entries.__getitem__)
        fixtures.append(
            new_fixture(
                competition=ladder,
                group_id=group_id,
                sides=sides,
                challenger=None if challenger is None else entries[challenger],
                now=now,
            )
        )
    start_fixtures(fixtures=fixtures, competition=ladder, now=now)
    return len(games)


def _load_entries(keys: Iterable[int]) -> dict[int, Entry]:
    return Entry.objects.select_related("player").in_bulk(set(keys))
