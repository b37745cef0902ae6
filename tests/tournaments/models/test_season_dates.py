"""The dates when seasons are announced and due, which follow from those of the seasons before alone."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.models.season_dates import (
    NextSeason,
    Rhythm,
    SeasonCalendar,
    SeasonDates,
    find_date_after,
    find_month_after,
    find_next_season,
    read_days,
    write_days,
)

# A Monday.
ANCHOR = datetime(2026, 6, 1, 18, tzinfo=UTC)
DAY = timedelta(days=1)


def calendar(rhythm, *, anchor=ANCHOR, ahead=3, days=()):
    return SeasonCalendar(rhythm, anchor, ahead, days)


def at(month, day, hour=18, year=2026):
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rhythm", "days", "moment", "expected"),
    [
        (Rhythm.WEEKLY, (), ANCHOR, at(6, 8)),
        (Rhythm.WEEKLY, (), at(6, 8, 17), at(6, 8)),
        (Rhythm.WEEKLY, (), at(5, 20), ANCHOR),
        (Rhythm.WEEKLY, (), at(6, 1, 17), ANCHOR),
        (Rhythm.MONTHLY, (), ANCHOR, at(7, 1)),
        (Rhythm.MONTHLY, (), at(12, 2), at(1, 1, year=2027)),
        (Rhythm.MONTHLY, (), at(2, 20), ANCHOR),
        (Rhythm.DATES, ((5, 1), (11, 1)), at(2, 20), at(11, 1)),
        (Rhythm.DATES, ((5, 1), (11, 1)), ANCHOR, at(11, 1)),
        (Rhythm.DATES, ((5, 1), (11, 1)), at(11, 1), at(5, 1, year=2027)),
        (Rhythm.DATES, ((2, 29),), ANCHOR, at(2, 28, year=2027)),
    ],
)
def test_a_calendar_names_its_next_date(rhythm, days, moment, expected):
    assert find_date_after(calendar(rhythm, days=days), moment) == expected


def test_a_month_that_is_too_short_has_its_last_day():
    dates = [at(1, 31)]
    for _ in range(3):
        dates.append(find_date_after(calendar(Rhythm.MONTHLY, anchor=dates[0]), dates[-1]))
    assert [(each.month, each.day) for each in dates] == [(1, 31), (2, 28), (3, 31), (4, 30)]


@pytest.mark.parametrize(
    ("rhythm", "ahead", "last", "before", "expected"),
    [
        pytest.param(Rhythm.WEEKLY, 3, (ANCHOR, None), None, None, id="the last season has not begun"),
        pytest.param(Rhythm.WEEKLY, 3, (ANCHOR, ANCHOR), None, (at(6, 5), at(6, 8)), id="begun in time"),
        pytest.param(Rhythm.WEEKLY, 3, (ANCHOR, ANCHOR + DAY), None, (at(6, 5), at(6, 8)), id="begun a day late"),
        pytest.param(Rhythm.WEEKLY, 3, (ANCHOR, ANCHOR + 9 * DAY), None, (at(6, 5), at(6, 8)), id="begun too late"),
        pytest.param(Rhythm.WEEKLY, 3, (at(6, 8), at(6, 7)), None, (at(6, 7), at(6, 8)), id="begun early"),
        pytest.param(
            Rhythm.WEEKLY,
            3,
            (at(6, 8), at(6, 24)),
            (ANCHOR, ANCHOR, at(6, 24)),
            (at(6, 26), at(6, 29)),
            id="had to wait for the one before, and counts from its end",
        ),
        pytest.param(Rhythm.WEEKLY, 30, (ANCHOR, ANCHOR), None, (ANCHOR, at(6, 8)), id="not before the last begins"),
        pytest.param(
            Rhythm.AFTER_END,
            3,
            (ANCHOR, ANCHOR, at(6, 20)),
            None,
            (at(6, 20), at(6, 23)),
            id="days of entry after the end",
        ),
        pytest.param(Rhythm.AFTER_END, 3, (ANCHOR, ANCHOR), None, None, id="before the end"),
    ],
)
def test_the_next_season_follows_from_the_last_and_the_one_before(rhythm, ahead, last, before, expected):
    seasons = [each and SeasonDates(*each) for each in (last, before)]
    assert find_next_season(calendar(rhythm, ahead=ahead), *seasons) == (expected and NextSeason(*expected))


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        (ANCHOR, at(7, 1)),
        # What begins before its day counts as begun on it.
        (at(5, 28), at(7, 1)),
        (at(6, 3), at(7, 1)),
        (at(7, 1, 19), at(8, 1)),
        (at(12, 24), at(1, 1, year=2027)),
    ],
)
def test_the_next_month_begins_on_the_day_of_the_first(begun, expected):
    assert find_month_after(ANCHOR, begun) == expected


def test_days_of_the_year_are_written_as_they_are_read():
    assert write_days(read_days(["11-01", "05-01", "05-01", "02-29"])) == ["02-29", "05-01", "11-01"]
    for wrong in ("13-01", "5", "05-32", "2026-05-01", ""):
        with pytest.raises(ValueError, match=r"time data|unconverted|day is out of range|does not match"):
            read_days([wrong])
