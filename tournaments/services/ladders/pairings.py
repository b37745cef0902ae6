"""Start the games that a points ladder lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

import structlog
from django.db import transaction

from tournaments.formats.protocol import Order
from tournaments.models import Competition, CompetitionStatus, Entry
from tournaments.pairing.ladder import Seat
from tournaments.pairing.ladder import pair_ladder as choose_games
from tournaments.selectors.groups import first_group_id
from tournaments.selectors.ladders import (
    Lacking,
    entries_choosing,
    pairs_barred,
    players_lacking_games,
    read_challenge_ladder,
    running_ladders,
)
from tournaments.selectors.sides import balance_of
from tournaments.services.after_commit import notify_pairing
from tournaments.services.catch_up import catch_up
from tournaments.services.entries.departure import let_go
from tournaments.services.fixtures import new_fixture, start_fixtures
from tournaments.services.ladders.inactivity import note_waiting
from tournaments.services.locks import lock_competition
from tournaments.services.standings import recompute_if_stale

MAX_GAMES = 100
"""So many games are started under one lock: about a tenth of a second of work."""

WINDOW = 500
"""So many of those who lack games are looked at first, from the top; more only if these make too few games."""

logger = structlog.get_logger(__name__)


def pair_ladder(*, ladder_id: int, now: datetime, limit: int = MAX_GAMES) -> int:
    """Start the games that a running ladder lacks, ``limit`` at most at once, and return how many.

    Before that, everything that is over or overdue is counted and the table recomputed, so that a player who has lost
    on time, and not acted since, gets none. The table of a large ladder takes its time: while it is made, nobody else
    waits for the ladder's lock.
    """
    with transaction.atomic():
        catch_up(competition=lock_competition(competition_id=ladder_id), now=now)
    recompute_if_stale(group_id=first_group_id(competition_id=ladder_id), now=now)
    with transaction.atomic():
        competition = lock_competition(competition_id=ladder_id)
        catch_up(competition=competition, now=now)
        if competition.status != CompetitionStatus.RUNNING or competition.paused_at is not None:
            return 0
        let_go(competition=competition, now=now)
        note_waiting(ladder=competition)
        if competition.first_stage.format_spec.order is Order.POSITIONS:
            started = _start_challenges(competition, now, limit)
        else:
            started = _start_games(competition, now, limit)
        if started == limit:
            notify_pairing(ladder_id=ladder_id)
    return started


def pair_ladders(*, now: datetime) -> int:
    """Start the games that all running ladders lack and return how many; one that fails stops none of the others."""
    started = 0
    for ladder_id in running_ladders().values_list("pk", flat=True):
        try:
            started += pair_ladder(ladder_id=ladder_id, now=now)
        except Exception:
            logger.exception("ladder_not_paired", ladder_id=ladder_id)
    return started


def _start_games(ladder: Competition, now: datetime, limit: int) -> int:
    window = WINDOW
    while True:
        lacking = players_lacking_games(ladder, limit=window)
        games = _choose_games(ladder, lacking, now)
        if len(games) >= limit or len(lacking) < window:
            break
        window *= 4
    return _start_all(ladder, [(*game, None) for game in games[:limit]], now)


def _choose_games(ladder: Competition, lacking: Sequence[Lacking], now: datetime) -> list[tuple[int, int]]:
    if len(lacking) < 2:
        return []
    among = [each.entry_id for each in lacking] if len(lacking) <= WINDOW else None
    barred: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs_barred(ladder, now, among):
        barred[one].add(other)
    seats = [Seat(each.entry_id, each.running) for each in lacking]
    return choose_games(seats, barred, games_each=ladder.first_stage.chosen_options.games_each)


def _start_challenges(ladder: Competition, now: datetime, limit: int) -> int:
    state = read_challenge_ladder(ladder, now)
    games = state.start_games(now, choosing=entries_choosing(ladder, now))[:limit]
    return _start_all(ladder, [(game.challenger, game.opponent, game.challenger) for game in games], now)


def _start_all(ladder: Competition, games: Sequence[tuple[int, int, int | None]], now: datetime) -> int:
    """Start games of two entries, the third the challenger if there is one; as many queries for any number of them."""
    entries = _load_entries(key for one, other, _challenger in games for key in (one, other))
    balance = balance_of(entries=list(entries))
    group_id = first_group_id(competition_id=ladder.pk)
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
