"""Let a simulated competition come again: who plays on, who skips a season, who is new, and who withdraws in it."""

from __future__ import annotations

import random
import secrets
from datetime import datetime

from players.services import create_computer
from tournaments.models import Competition, Entry, EntryStatus
from tournaments.season_dates import Rhythm
from tournaments.services.entries.admission import enter_competition
from tournaments.services.entries.withdrawal import leave_competition, withdraw_entry
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.seasons import announce_season_if_due
from tournaments.services.series import end_series, make_series
from tournaments.services.simulation_teams import enter_teams_again

MIN_TO_LOSE_SOME = 4
"""Of fewer players nobody leaves or withdraws."""

SHARE_OF_LEAVERS = 10


def let_come_again(competition: Competition, *, now: datetime) -> None:
    """Make a competition that is open season 1 of a series whose next season comes when the last one has ended."""
    maker = competition.organisers.get()
    make_series(competition=competition, options={"rhythm": Rhythm.AFTER_END}, actor=maker, now=now)


def begin_next_season(last: Competition, source: random.Random, *, is_last: bool, now: datetime) -> Competition:
    """Fill the season after one that has ended, start it, and return it. After the last one none comes.

    A tenth of the players skip it, and as many are new; of teams those come again that have not withdrawn.
    """
    announce_season_if_due(series_id=last.series_id or 0, now=now)
    season = Competition.objects.get(series=last.series_id, season=(last.season or 0) + 1)
    if season.boards is not None:
        enter_teams_again(season, last, now=now)
        return _start(season, is_last=is_last, now=now)
    entered = list(season.entries.order_by("pk"))
    if not entered:
        playing = last.entries.filter(status=EntryStatus.ACTIVE).order_by("pk").select_related("player")
        entered = [enter_competition(competition_id=season.pk, player=each.player, now=now) for each in playing]
    leavers = -(-len(entered) // SHARE_OF_LEAVERS) if len(entered) >= MIN_TO_LOSE_SOME else 0
    token = secrets.token_hex(3)
    for number, entry in enumerate(source.sample(entered, leavers), start=1):
        leave_competition(entry_id=entry.pk, now=now)
        computer = create_computer(username=f"sim-{token}-{number}", now=now)
        enter_competition(competition_id=season.pk, player=computer, now=now)
    return _start(season, is_last=is_last, now=now)


def _start(season: Competition, *, is_last: bool, now: datetime) -> Competition:
    """Start a season and return it; after the last one let none come."""
    start_competition(competition_id=season.pk, actor=None, now=now)
    if is_last:
        end_series(series_id=season.series_id or 0, actor=season.organisers.get(), now=now)
    return season


def withdraw_somebody(competition: Competition, source: random.Random, *, now: datetime) -> Entry | None:
    """Withdraw one of the players of a competition that runs, and return the entry; nobody where they are few."""
    entries = list(Entry.objects.filter(competition=competition.pk, status=EntryStatus.ACTIVE).order_by("pk"))
    if len(entries) < MIN_TO_LOSE_SOME:
        return None
    return withdraw_entry(entry_id=source.choice(entries).pk, actor=None, reason="", now=now)
