"""Start the games that a points ladder lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

import structlog
from django.db import transaction

from tournaments.formats.protocol import Order
from tournaments.models import Competition, CompetitionStatus, Entry
from tournaments.pairing.ladder import Seat
from tournaments.pairing.ladder import pair_ladder as choose_games
from tournaments.selectors.groups import first_group_id
from tournaments.selectors.ladders import (
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
from tournaments.services.fixtures import add_fixture
from tournaments.services.ladders.inactivity import note_waiting
from tournaments.services.locks import lock_competition
from tournaments.services.standings import recompute_if_stale

MAX_GAMES = 200
MAX_CHOOSING = 500

logger = structlog.get_logger(__name__)


def pair_ladder(*, ladder_id: int, now: datetime, limit: int = MAX_GAMES) -> int:
    """Start the games that a running ladder lacks, ``limit`` at most at once, and return how many.

    Before that, everything that is over or overdue is counted and the table recomputed, so that a player who has lost
    on time, and not acted since, gets none.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=ladder_id)
        catch_up(competition=competition, now=now)
        if competition.status != CompetitionStatus.RUNNING or competition.paused_at is not None:
            return 0
        let_go(competition=competition, now=now)
        note_waiting(ladder=competition)
        recompute_if_stale(group_id=first_group_id(competition_id=ladder_id), now=now)
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
    lacking = players_lacking_games(ladder)
    if len(lacking) < 2:
        return 0
    among = [each.entry_id for each in lacking] if len(lacking) <= MAX_CHOOSING else None
    barred: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs_barred(ladder, now, among):
        barred[one].add(other)
    seats = [Seat(each.entry_id, each.running) for each in lacking]
    games = choose_games(seats, barred, games_each=ladder.first_stage.chosen_options.games_each)[:limit]
    entries = _load_entries(key for game in games for key in game)
    balance = balance_of(entries=list(entries))
    group_id = first_group_id(competition_id=ladder.pk)
    for game in games:
        add_fixture(competition=ladder, group_id=group_id, sides=balance.give(*game).map(entries.__getitem__), now=now)
    return len(games)


def _start_challenges(ladder: Competition, now: datetime, limit: int) -> int:
    state = read_challenge_ladder(ladder, now)
    games = state.start_games(now, choosing=entries_choosing(ladder, now))[:limit]
    entries = _load_entries(key for game in games for key in (game.challenger, game.opponent))
    balance = balance_of(entries=list(entries))
    group_id = first_group_id(competition_id=ladder.pk)
    for game in games:
        sides = balance.give(game.challenger, game.opponent).map(entries.__getitem__)
        add_fixture(competition=ladder, group_id=group_id, sides=sides, challenger=entries[game.challenger], now=now)
    return len(games)


def _load_entries(keys: Iterable[int]) -> dict[int, Entry]:
    return Entry.objects.select_related("player").in_bulk(set(keys))
