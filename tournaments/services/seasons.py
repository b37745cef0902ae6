"""Announce the seasons of series: each is made, opened for entry, and filled with whoever comes along.

What is due follows from the seasons before, in the order of time: whoever asks first makes a season, and whoever asks
again finds it made.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.db import transaction

from players.models import Player
from tournaments.carry_overs import Admission, CarryOver
from tournaments.models import Competition, CompetitionStatus, Entry, Series
from tournaments.season_dates import NextSeason
from tournaments.selectors.entry_conditions import reasons_of_kind
from tournaments.selectors.series import next_season_of, places_in, series_due
from tournaments.services.catch_up import catch_up
from tournaments.services.competitions import create_competition
from tournaments.services.copies import copy_options
from tournaments.services.entries.entry_rows import make_entry, store_entries
from tournaments.services.entries.invitations import invite_players
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action
from tournaments.services.series import lock_series

logger = structlog.get_logger(__name__)


def announce_season_if_due(*, series_id: int, now: datetime) -> Competition | None:
    """Announce the next season of a series if it is due, and return it. Again has no effect.

    What is due in the last season is done first. A series that is not there is left alone.
    """
    with transaction.atomic():
        try:
            series, last = lock_series(series_id=series_id)
        except Series.DoesNotExist:
            return None
        last = lock_competition(competition_id=last.pk)
        catch_up(competition=last, now=now)
        coming = next_season_of(series, last)
        if coming is None or coming.announced_at > now:
            return None
        return _announce(series, last, coming, now)


def announce_due_seasons(*, now: datetime) -> int:
    """Announce all seasons that are due, in the order of time, and return how many this call made.

    Only series of which one is due are locked. Each has a transaction of its own, so that one that fails stops none of
    the others.
    """
    made = 0
    for series_id in series_due(now):
        try:
            while announce_season_if_due(series_id=series_id, now=now) is not None:
                made += 1
        except Exception:
            logger.exception("season_not_announced", series_id=series_id)
    return made


def _announce(series: Series, last: Competition, coming: NextSeason, now: datetime) -> Competition:
    number = (last.season or 0) + 1
    season, (first, *later) = copy_options(last, name=f"{series.name} {number}")
    season.series, season.season = series, number
    season.starts_at, season.status = coming.starts_at, CompetitionStatus.OPEN
    organisers = list(last.organisers.filter(is_active=True).order_by("pk"))
    maker = next((each for each in organisers if each.pk == last.creator_id), organisers[0])
    create_competition(competition=season, stage=first, later=later, creator=maker, now=now)
    season.organisers.set(organisers)
    season.helpers.set(last.helpers.filter(is_active=True))
    log_action(competition=season, action="season-announced", subject=str(number), now=now)
    if series.carries.admission is not Admission.NONE:
        # As the last season was when this one was to be announced.
        chosen = series.carries.choose(places_in(last, at=coming.announced_at))
        _admit(season, chosen, series.carries, maker=maker, now=now)
    return season


def _admit(season: Competition, chosen: Sequence[int], carries: CarryOver, *, maker: Player, now: datetime) -> None:
    """Ask or enter those of these players who may play in a season."""
    known = Player.objects.in_bulk(chosen)
    players = [known[key] for key in chosen if not reasons_of_kind(competition=season, player=known[key])]
    if season.max_entrants is not None and carries.admission is Admission.ENTERED:
        players = players[: season.max_entrants]
    if not players:
        return
    if carries.admission is Admission.ASKED:
        invite_players(competition=season, players=players, actor=maker, is_limited=False, now=now)
        return
    entries: list[Entry] = [make_entry(competition=season, player=player, now=now) for player in players]
    store_entries(competition=season, entries=entries, now=now)
    log_action(competition=season, action="entered-again", subject=str(len(entries)), concerns=entries, now=now)
