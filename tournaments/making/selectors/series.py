"""Series and their seasons: which there are, when the next one is due, and what their places were."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy

from database.isolation import attempt_each
from formats.grouping import MIN_SIZE
from players.models import Player
from tournaments.making.errors import SeriesNotFound
from tournaments.models import ENDED, NOT_ENDED, Competition, CompetitionStatus, Seeding, Series
from tournaments.models.carry_overs import NOBODY, PROMOTION, SAME_ENTRANTS
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
from tournaments.records.competitions import list_competitions, with_first_stage
from tournaments.records.seasons import dates_of

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


def list_series(organiser: Player | None = None) -> QuerySet[Series]:
    """Return the series of which anybody sees a season, or the ``organiser`` has a draft, the newest first."""
    is_seen = ~Q(status=CompetitionStatus.DRAFT)
    if organiser is not None:
        is_seen |= Q(
            Exists(Competition.organisers.through.objects.filter(competition=OuterRef("pk"), player=organiser))
        )
    shown = Competition.objects.filter(is_seen, series=OuterRef("pk"), hidden_at=None)
    return Series.objects.filter(Exists(shown)).order_by("-pk")


def get_series(*, slug: str, player: Player | None) -> Series:
    """Return the series with this slug, if the player sees a season of it. Raises ``SeriesNotFound``."""
    series = list_series(player).filter(slug=slug).first()
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


def is_continued(last: Competition) -> bool:
    """Return whether anything is announced after the last season: it is seen, and an open account organises it.

    One query at most.
    """
    is_seen = last.hidden_at is None and last.status != CompetitionStatus.DRAFT
    return is_seen and last.organisers.filter(is_active=True).exists()


def next_season_of(series: Series, last: Competition) -> NextSeason | None:
    """Return when the season after the last one is announced and starts; ``None`` where none comes, or nobody knows.

    None comes once the series has ended, while its last season is hidden or a draft, or with no open account that
    organises it.
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


def _latest_seasons(since: datetime) -> QuerySet[Competition, Any]:
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


def series_due(now: datetime) -> list[int]:
    """Return the ids of the series whose next season or final is to be announced, as their seasons are now.

    One of which that cannot be found out is logged. One query, and two for each that has finals.
    """

    def find_due(seasons: list[_Latest]) -> list[int]:
        last, *earlier = seasons
        if last.hidden_at is not None or last.status == CompetitionStatus.DRAFT or not last.is_organised:
            return []
        before = earlier[0].dates if earlier and not last.overlap else None
        coming = None if last.series_ended_at else find_next_season(last.calendar, last.dates, before)
        final = _find_final_due(last.series_id) if last.year_final else None
        announced = [each.announced_at for each in (coming, final) if each is not None]
        return [last.series_id] if announced and min(announced) <= now else []

    rows = map(_Latest._make, _latest_seasons(now - FINAL_TIMEOUT))
    by_series = [list(seasons) for _id, seasons in groupby(rows, key=attrgetter("series_id"))]
    return [key for due in attempt_each(by_series, find_due, event="season_not_found", key="seasons") for key in due]


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


def usual_options(competition: Competition) -> dict[str, Any]:
    """Return the options of a series of competitions like this one, unless its organisers choose otherwise."""
    if competition.first_stage.seeding == Seeding.SEASON:
        return {"carry_over": PROMOTION}
    if competition.first_stage.goes_by_months:
        return {"rhythm": Rhythm.MONTHLY, "carry_over": SAME_ENTRANTS, "overlap": True, "year_final": True}
    return {"carry_over": NOBODY}
