"""Series and their seasons: which there are, when the next one is due, and what their places were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy

from database.compiled_queries import CompiledQuery
from formats.grouping import MIN_SIZE, league_of
from formats.promotion import Newcomer, SeasonPlace
from players.models import Player
from tournaments.models import (
    ENDED,
    NOT_ENDED,
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Seat,
    Seeding,
    Series,
)
from tournaments.models.carry_overs import NOBODY, PROMOTION, SAME_ENTRANTS
from tournaments.models.errors import SeriesNotFound
from tournaments.models.season_dates import (
    NextSeason,
    Rhythm,
    SeasonCalendar,
    SeasonDates,
    find_final,
    find_next_season,
    read_days,
    year_of,
)
from tournaments.records.competitions import list_competitions, waits_for_last_season, with_first_stage

FINAL_TIMEOUT = timedelta(days=400)
"""The time after its last season for which an ended series is asked for a final, due when its year is over."""

NO_SERIES = gettext_lazy("There is no such series.")


@dataclass(frozen=True, slots=True)
class FinalDue:
    """The final of a year that is to be announced at a moment, and the ids of the players who have won its seasons."""

    year: int
    announced_at: datetime
    players: list[int]


@dataclass(frozen=True, slots=True)
class AwaitedFinal:
    """The final of a year that is over, and the seasons for whose ends it waits."""

    year: int
    seasons: list[Competition]


@dataclass(frozen=True, slots=True)
class HeldUp:
    """The competitions that wait for a season that is late to start: the next season, the final of a year."""

    next_season: bool
    final_of: int | None


def list_series() -> QuerySet[Series]:
    """Return the series of which anybody sees a season, the newest first."""
    shown = Competition.objects.exclude(status=CompetitionStatus.DRAFT).filter(series=OuterRef("pk"), hidden_at=None)
    return Series.objects.filter(Exists(shown)).order_by("-pk")


def get_series(*, slug: str) -> Series:
    """Return the series with this slug, of which anybody sees a season. Raises ``SeriesNotFound``."""
    series = list_series().filter(slug=slug).first()
    if series is None:
        raise SeriesNotFound(NO_SERIES)
    return series


def seasons_of(series: Series) -> QuerySet[Competition]:
    """Return the seasons that anybody sees, the latest first, as lists show competitions."""
    return list_competitions().filter(series=series, season__isnull=False).order_by("-season")


def finals_of(series: Series) -> QuerySet[Competition]:
    """Return the finals of years that anybody sees, the latest first, as lists show competitions."""
    return list_competitions().filter(series=series, final_of__isnull=False).order_by("-final_of")


def last_season_of(series: Series) -> Competition | None:
    """Return the latest season with its first stage, ``None`` for a series without any. One query."""
    seasons = Competition.objects.filter(series=series, season__isnull=False)
    return with_first_stage(seasons).order_by("-season").first()


def season_before(competition: Competition) -> Competition | None:
    """Return the season before this one, ``None`` for the first one and for what is no season. One query at most."""
    if competition.season is None or competition.season == 1:
        return None
    earlier = Competition.objects.filter(series=competition.series_id, season__lt=competition.season)
    return earlier.order_by("-season").first()


def dates_of(season: Competition) -> SeasonDates:
    """Return when a season was to start, has started, and ended."""
    return SeasonDates(season.starts_at, season.started_at, season.finished_at if season.status in ENDED else None)


def is_continued(last: Competition) -> bool:
    """Return whether anything is announced after the last season: it is seen, and an open account organises it.

    One query at most.
    """
    return last.hidden_at is None and last.organisers.filter(is_active=True).exists()


def next_season_of(series: Series, last: Competition) -> NextSeason | None:
    """Return when the season after the last one is announced and starts; ``None`` where none comes, or nobody knows.

    None comes once the series has ended, while its last season is hidden, or with no open account that organises it.
    """
    if series.ended_at is not None or not is_continued(last):
        return None
    before = None if series.overlap else season_before(last)
    return find_next_season(series.calendar, dates_of(last), None if before is None else dates_of(before))


class _Latest(NamedTuple):
    """One of the last two seasons of a series, with what its next season depends on."""

    series_id: int
    rhythm: str
    anchor: datetime
    announce_days: int
    days: list[str]
    overlap: bool
    series_ended_at: datetime | None
    year_final: bool
    status: str
    starts_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    hidden_at: datetime | None
    is_organised: bool

    @property
    def dates(self) -> SeasonDates:
        return SeasonDates(self.starts_at, self.started_at, self.finished_at if self.status in ENDED else None)

    @property
    def calendar(self) -> SeasonCalendar:
        return SeasonCalendar(Rhythm(self.rhythm), self.anchor, self.announce_days, read_days(self.days))


_OF_SERIES = {"rhythm", "anchor", "announce_days", "days", "overlap", "year_final"}


def _latest_seasons(since: Any) -> QuerySet[Competition, Any]:
    """Return the last two seasons of each series that goes on, or has one that ended ``since`` and holds finals."""
    recent = Competition.objects.filter(
        ~Q(status__in=ENDED) | Q(finished_at__gt=since), series=OuterRef("series"), season__isnull=False
    )
    may_come = Q(series__ended_at=None) | (Q(series__year_final=True) & Exists(recent))
    seasons = Competition.objects.filter(may_come, season__isnull=False, series__isnull=False)
    back = Window(RowNumber(), partition_by=F("series_id"), order_by=F("season").desc())
    organised = Exists(Player.objects.filter(organised_competitions=OuterRef("pk"), is_active=True))
    latest = seasons.annotate(back=back, is_organised=organised, series_ended_at=F("series__ended_at")).filter(
        back__lte=2
    )
    names = (f"series__{name}" if name in _OF_SERIES else name for name in _Latest._fields)
    return latest.order_by("series_id", "-season").values_list(*names)


_LATEST = CompiledQuery(_latest_seasons, is_prepared=False)


def series_due(now: datetime) -> list[int]:
    """Return the ids of the series whose next season or final is to be announced, as their seasons are now.

    One query, and two for each that has finals.
    """
    due = []
    rows = map(_Latest._make, _LATEST.rows(since=now - FINAL_TIMEOUT))
    for series_id, (last, *earlier) in groupby(rows, key=attrgetter("series_id")):
        if last.hidden_at is not None or not last.is_organised:
            continue
        before = earlier[0].dates if earlier and not last.overlap else None
        coming = None if last.series_ended_at else find_next_season(last.calendar, last.dates, before)
        final = _find_final_due(series_id) if last.year_final else None
        announced = [each.announced_at for each in (coming, final) if each is not None]
        if announced and min(announced) <= now:
            due.append(series_id)
    return due


def final_due(series: Series) -> FinalDue | None:
    """Return the next final of a series, ``None`` while none can be held. Two queries at most.

    Those who have won several seasons of a year play once, and one winner with an open account plays no final alone.
    What was won before the series has ended still counts.
    """
    return _find_final_due(series.pk) if series.year_final else None


def _find_final_due(series_id: int) -> FinalDue | None:
    competitions = Competition.objects.filter(series=series_id)
    held = set(competitions.filter(final_of__isnull=False).values_list("final_of", flat=True))
    seen = competitions.filter(season__isnull=False, hidden_at=None)
    seasons = list(seen.select_related("winner__player", "winner__team").order_by("season"))
    dates = {season: dates_of(season) for season in seasons}
    for year in sorted({year for each in dates.values() if (year := year_of(each)) is not None} - held):
        announced_at = find_final(list(dates.values()), year)
        won = [season.winner for season, each in dates.items() if year_of(each) == year]
        winners = list(dict.fromkeys(each.player_id for each in won if each is not None and each.player.is_active))
        if announced_at is not None and len(winners) >= MIN_SIZE:
            return FinalDue(year, announced_at, winners)
    return None


def awaited_final(series: Series, *, now: datetime) -> AwaitedFinal | None:
    """Return the first final of a year that is over for which some of its seasons are not, ``None`` for none.

    None comes while the last season is hidden, or with no open account that organises it. Four queries at most, one
    where no season of such a year goes on.
    """
    if not series.year_final:
        return None
    competitions = Competition.objects.filter(series=series)
    open_ones: dict[int, list[Competition]] = defaultdict(list)
    for season in competitions.filter(season__isnull=False, hidden_at=None, status__in=NOT_ENDED).order_by("season"):
        year = year_of(dates_of(season))
        if year is not None and year < now.astimezone(UTC).year:
            open_ones[year].append(season)
    if not open_ones:
        return None
    held = set(competitions.filter(final_of__in=open_ones).values_list("final_of", flat=True))
    waiting = min(open_ones.keys() - held, default=None)
    last = None if waiting is None else last_season_of(series)
    if waiting is None or last is None or not is_continued(last):
        return None
    return AwaitedFinal(waiting, open_ones[waiting])


def held_up_by(season: Competition, *, now: datetime) -> HeldUp | None:
    """Return what waits for a season to start, ``None`` for one that has, or that cannot yet. Three queries at most."""
    series = season.series if season.season is not None else None
    if series is None or season.status not in NOT_STARTED or season.starts_at is None or season.starts_at > now:
        return None
    if waits_for_last_season(season):
        return None
    held = HeldUp(series.ended_at is None, year_of(dates_of(season)) if series.year_final else None)
    return held if held.next_season or held.final_of else None


def usual_options(competition: Competition) -> dict[str, Any]:
    """Return the options of a series of competitions like this one, unless its organisers choose otherwise."""
    if competition.first_stage.seeding == Seeding.SEASON:
        return {"carry_over": PROMOTION}
    if competition.first_stage.goes_by_months:
        return {"rhythm": Rhythm.MONTHLY, "carry_over": SAME_ENTRANTS, "overlap": True, "year_final": True}
    return {"carry_over": NOBODY}


def places_in(season: Competition, *, at: datetime) -> list[SeasonPlace[int]]:
    """Return where everybody is in a season, by player id, in the order of their tables. One query.

    Of several stages it is the last in which somebody has a group. Players who wait for their first group come last.
    Those who had left by ``at`` are not still in it, and those who have entered later are not there at all.
    """
    in_groups = Seat.objects.filter(entry=OuterRef("entry"), group__isnull=False)
    is_latest = ~Exists(in_groups.filter(stage__number__gt=OuterRef("stage__number")))
    has_only_waited = Q(stage__number=1) & ~Exists(in_groups)
    seats = Seat.objects.filter(
        has_only_waited | (Q(group__isnull=False) & is_latest), stage__competition=season, entry__entered_at__lte=at
    ).order_by(
        "-stage__number",
        F("group__number").asc(nulls_last=True),
        F("standing__place").asc(nulls_last=True),
        "position",
        "entry_id",
    )
    return _read_places(seats, at)


def latest_places_before(season: Competition) -> list[SeasonPlace[int]]:
    """Return everybody's place in the latest season of the series that they played before this one, by player id.

    Seasons that were cancelled do not count. One query.
    """
    earlier = Seat.objects.filter(
        stage__number=1,
        stage__competition__series=season.series_id,
        stage__competition__season__lt=season.season,
        stage__competition__status=CompetitionStatus.FINISHED,
    )
    places = _read_places(earlier.order_by("stage__competition__season", "pk"), None)
    return list({each.entrant: each for each in places}.values())


def order_season(season: Competition, entries: Collection[Entry], ratings: Mapping[int, Decimal]) -> list[int]:
    """Return the ids of entries in the order in which the seasons before seed them; by rating where none does."""
    newcomers = [Newcomer(entry.player_id, float(ratings[entry.pk]), entry.draw) for entry in entries]
    carries = None if season.series is None else season.series.carries
    if carries is None or carries.order is None:
        order = [each.entrant for each in sorted(newcomers, key=lambda each: (-each.rating, each.lot))]
    else:
        order = carries.order(newcomers, latest_places_before(season))
    entry_of = {entry.player_id: entry.pk for entry in entries}
    return [entry_of[player] for player in order]


_COLUMNS = (
    "entry__player_id",
    "stage__competition__season",
    "stage__grouping",
    "group__number",
    "standing__place",
    "entry__status",
    "entry__left_at",
)


def _read_places(seats: QuerySet[Seat], at: datetime | None) -> list[SeasonPlace[int]]:
    return [
        SeasonPlace(
            player,
            season or 1,
            league_of(group or 1) if (grouping or {}).get("league_size") is not None else 1,
            group or 1,
            place,
            still_in=_is_in(status, left_at, at),
        )
        for player, season, grouping, group, place, status, left_at in seats.values_list(*_COLUMNS)
    ]


def _is_in(status: str, left_at: datetime | None, at: datetime | None) -> bool:
    """Return whether somebody was in a competition at a moment, or is now where none is given."""
    return status != EntryStatus.REPLACED and (left_at is None or (at is not None and left_at > at))
