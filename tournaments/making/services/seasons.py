"""Announce the seasons of series: each is made, opened for entry, and filled with those who come along.

The due season follows from the seasons before, in the order of time: the first request makes it, and another one finds
it made.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from database.isolation import attempt_each
from players.models import Player
from tournaments.entries.services.new_invitations import invite_players
from tournaments.making.recipes import YEAR_FINAL, make_stages
from tournaments.making.selectors.series import FinalDue, final_due, finals_of, is_continued, next_season_of, series_due
from tournaments.making.services.competitions import create_competition
from tournaments.making.services.copies import copy_options
from tournaments.making.services.series import lock_series
from tournaments.models import Competition, CompetitionStatus, Entry, Series, Stage
from tournaments.models.carry_overs import Admission, CarryOver
from tournaments.models.season_dates import NextSeason
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.records.seasons import places_in
from tournaments.running.selectors.entry_conditions import reasons_of_kind
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.entry_rows import make_entry, store_entries

FINAL_NAME = "final"


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


def announce_if_due(*, series_id: int, now: datetime) -> int:
    """Announce all seasons of a series that are due, in the order of time, then its finals; return how many."""
    made = 0
    while announce_season_if_due(series_id=series_id, now=now) or announce_final_if_due(series_id=series_id, now=now):
        made += 1
    return made


def announce_due_seasons(*, now: datetime) -> int:
    """Announce all seasons that are due, in the order of time, then all finals, and return how many this call made.

    Only series of which one is due are locked. Each has a transaction of its own, so that one that fails stops none of
    the others.
    """
    return sum(
        attempt_each(
            series_due(now),
            lambda series_id: announce_if_due(series_id=series_id, now=now),
            event="season_not_announced",
            key="series_id",
        )
    )


def _announce(series: Series, last: Competition, coming: NextSeason, now: datetime) -> Competition:
    number = (last.season or 0) + 1
    season, stages = copy_options(last, name=f"{series.name} {number}")
    season.series, season.season = series, number
    season.starts_at, season.status = coming.starts_at, CompetitionStatus.OPEN
    maker = _create(season, stages, last, now)
    log_action(competition=season, action="season-announced", subject=str(number), now=now)
    if series.carries.admission is not Admission.NONE:
        # As the last season was when this one was to be announced.
        chosen = series.carries.choose(places_in(last, at=coming.announced_at))
        _admit(season, chosen, series.carries, maker=maker, now=now)
    return season


def announce_final_if_due(*, series_id: int, now: datetime) -> Competition | None:
    """Announce the final of a year's winners if it is due, enter them, and return it. Again has no effect."""
    with transaction.atomic():
        try:
            series, last = lock_series(series_id=series_id)
        except Series.DoesNotExist:
            return None
        if not is_continued(last):
            return None
        due = final_due(series)
        if due is None or due.announced_at > now:
            return None
        return _announce_final(series, last, due, now)


def _announce_final(series: Series, last: Competition, due: FinalDue, now: datetime) -> Competition:
    """Make a final like the one before, or like the last season, but as the recipe of finals is played."""
    before = finals_of(series).first()
    final, stages = copy_options(before or last, name=f"{series.name} {due.year}: {FINAL_NAME}")
    if before is None:
        stages = make_stages(YEAR_FINAL)
    final.series, final.final_of = series, due.year
    final.by_invitation, final.password, final.max_entrants, final.starts_when_full = True, "", None, False
    final.min_rating = final.max_rating = None
    final.starts_at = due.announced_at + timedelta(days=series.announce_days)
    final.status = CompetitionStatus.OPEN
    _create(final, stages, last, now)
    log_action(competition=final, action="final-announced", actor=None, subject=str(due.year), now=now)
    _enter(final, _who_may_play(final, due.players), action="entered-final", now=now)
    return final


def _create(season: Competition, stages: Sequence[Stage], last: Competition, now: datetime) -> Player:
    """Store a season with the people who run the last one, and return who counts as its maker."""
    first, *later = stages
    organisers = list(last.organisers.filter(is_active=True).order_by("pk"))
    maker = next((each for each in organisers if each.pk == last.creator_id), organisers[0])
    create_competition(competition=season, stage=first, later=later, creator=maker, now=now)
    season.organisers.set(organisers)
    season.helpers.set(last.helpers.filter(is_active=True))
    return maker


def _who_may_play(season: Competition, chosen: Sequence[int]) -> list[Player]:
    known = Player.objects.in_bulk(chosen)
    return [known[key] for key in chosen if not reasons_of_kind(competition=season, player=known[key])]


def _admit(season: Competition, chosen: Sequence[int], carries: CarryOver, *, maker: Player, now: datetime) -> None:
    """Ask or enter those of these players who may play in a season."""
    players = _who_may_play(season, chosen)
    if season.max_entrants is not None and carries.admission is Admission.ENTERED:
        players = players[: season.max_entrants]
    if not players:
        return
    if carries.admission is Admission.ASKED:
        invite_players(competition=season, players=players, actor=maker, is_limited=False, now=now)
        return
    _enter(season, players, action="entered-again", now=now)


def _enter(season: Competition, players: Sequence[Player], *, action: str, now: datetime) -> None:
    entries: list[Entry] = [make_entry(competition=season, player=player, now=now) for player in players]
    store_entries(competition=season, entries=entries, now=now)
    log_action(competition=season, action=action, subject=str(len(entries)), concerns=entries, now=now)
