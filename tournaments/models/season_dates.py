"""The dates of the seasons of a series: every week, every month, on dates of the year, or after the last one.

A season is announced some days before it is due. Everything follows from the dates of the season before, so that it
makes no difference when anybody asks.
"""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import count

LEAP_YEAR = 2024
"""The year in which every day of a calendar is."""


class Rhythm(StrEnum):
    """The ways in which seasons follow each other."""

    WEEKLY = "weekly"
    MONTHLY = "monthly"
    DATES = "dates"
    AFTER_END = "after-end"


@dataclass(frozen=True, slots=True)
class SeasonCalendar:
    """The dates of a series. ``anchor`` gives the hour, the day of the week and that of the month.

    ``days`` are those of the year, as (month, day), where the rhythm is ``DATES``.
    """

    rhythm: Rhythm
    anchor: datetime
    announce_days: int
    days: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SeasonDates:
    """The moments when a season was to start, has started and ended; ``None`` for what is not so yet."""

    starts_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NextSeason:
    """The moments when the next season is announced, and when it is due to start."""

    announced_at: datetime
    starts_at: datetime


def find_next_season(
    calendar: SeasonCalendar, last: SeasonDates, before: SeasonDates | None = None
) -> NextSeason | None:
    """Return when the season after the last one comes, ``None`` while that cannot be known.

    It is announced once the last one has begun. ``before`` is the season before the last one, for whose end that may
    have waited.
    """
    if last.ended_at is None and last.started_at is None:
        return None
    ahead = timedelta(days=calendar.announce_days)
    if calendar.rhythm is Rhythm.AFTER_END:
        return None if last.ended_at is None else NextSeason(last.ended_at, last.ended_at + ahead)
    begin = _begin_of(last, before)
    if begin is None:
        return None
    due = find_date_after(calendar, begin)
    return NextSeason(due - min(ahead, due - begin), due)


def find_final(seasons: Sequence[SeasonDates], year: int) -> datetime | None:
    """Return when the final of a year's seasons is announced: when the year and all of them are over.

    ``None`` as long as one goes on, or has not started. A season belongs to the year of the day for which it was
    planned.
    """
    ends = [each.ended_at for each in seasons if year_of(each) == year]
    if not ends or None in ends:
        return None
    return max(datetime(year + 1, 1, 1, tzinfo=UTC), *(each for each in ends if each is not None))


def year_of(season: SeasonDates) -> int | None:
    """Return the year to which a season belongs, ``None`` for one without a date."""
    planned = season.starts_at or season.started_at
    return None if planned is None else planned.astimezone(UTC).year


def find_date_after(calendar: SeasonCalendar, moment: datetime) -> datetime:
    """Return the first date of a calendar after a moment, none before its anchor.

    Raises ``ValueError`` for a calendar without dates.
    """
    first = calendar.anchor
    if calendar.rhythm is Rhythm.WEEKLY:
        return first + max(0, (moment - first) // timedelta(weeks=1) + 1) * timedelta(weeks=1)
    if calendar.rhythm is Rhythm.MONTHLY:
        days = [(month, calendar.anchor.day) for month in range(1, 13)]
    elif calendar.rhythm is Rhythm.DATES and calendar.days:
        days = sorted(calendar.days)
    else:
        raise ValueError("this calendar has no dates")
    dates = _dates_from(days, first, max(moment, first).year)
    return next(each for each in dates if each > moment and each >= first)


def find_month_after(anchor: datetime, begun: datetime) -> datetime:
    """Return when the month after the one in which something has begun begins; months count from an anchor.

    What has begun before its time, which is the anchor, counts as begun then.
    """
    return find_date_after(SeasonCalendar(Rhythm.MONTHLY, anchor, 0), max(begun, anchor))


def read_days(texts: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return days of the year that are written as month and day, such as ``05-01``, in their order, each once.

    Raises ``ValueError`` for what is no such day.
    """
    days = {datetime.strptime(f"{LEAP_YEAR}-{text}", "%Y-%m-%d").date() for text in texts}  # noqa: DTZ007 - a day
    return tuple(sorted((day.month, day.day) for day in days))


def write_days(days: Sequence[tuple[int, int]]) -> list[str]:
    """Return days of the year as texts that ``read_days`` reads."""
    return [f"{month:02}-{day:02}" for month, day in days]


def _begin_of(last: SeasonDates, before: SeasonDates | None) -> datetime | None:
    """Return when a season began by its dates: at its time or the end of the one before, or earlier if it did."""
    planned = last.starts_at
    if planned is not None and before is not None and before.ended_at is not None:
        planned = max(planned, before.ended_at)
    known = [each for each in (planned, last.started_at) if each is not None]
    return min(known, default=last.ended_at)


def _dates_from(days: Sequence[tuple[int, int]], anchor: datetime, year: int) -> Iterator[datetime]:
    """Yield these days from a year on, at the anchor's hour; a day that a month has not is its last one."""
    for each in count(year):
        for month, day in days:
            yield anchor.replace(year=each, month=month, day=min(day, monthrange(each, month)[1]))
