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


def test_nothing_is_announced_before_the_last_season_has_begun():
    waiting = SeasonDates(starts_at=ANCHOR)
    assert find_next_season(calendar(Rhythm.WEEKLY), waiting) is None
    begun = SeasonDates(starts_at=ANCHOR, started_at=ANCHOR + DAY)
    assert find_next_season(calendar(Rhythm.WEEKLY), begun) == NextSeason(at(6, 5), at(6, 8))


def test_it_makes_no_difference_when_a_worker_started_a_season():
    for late in (timedelta(), timedelta(seconds=20), 9 * DAY):
        begun = SeasonDates(starts_at=ANCHOR, started_at=ANCHOR + late)
        assert find_next_season(calendar(Rhythm.WEEKLY), begun) == NextSeason(at(6, 5), at(6, 8))


def test_a_season_that_was_started_early_counts_from_then():
    begun = SeasonDates(starts_at=at(6, 8), started_at=at(6, 7))
    assert find_next_season(calendar(Rhythm.WEEKLY), begun) == NextSeason(at(6, 7), at(6, 8))


def test_a_season_that_had_to_wait_for_the_one_before_counts_from_its_end():
    before = SeasonDates(starts_at=ANCHOR, started_at=ANCHOR, ended_at=at(6, 24))
    last = SeasonDates(starts_at=at(6, 8), started_at=at(6, 24))
    assert find_next_season(calendar(Rhythm.WEEKLY), last, before) == NextSeason(at(6, 26), at(6, 29))


def test_a_season_is_announced_no_earlier_than_the_one_before_begins():
    begun = SeasonDates(starts_at=ANCHOR, started_at=ANCHOR)
    assert find_next_season(calendar(Rhythm.WEEKLY, ahead=30), begun) == NextSeason(ANCHOR, at(6, 8))


def test_after_the_end_there_are_the_days_of_entry():
    ended = SeasonDates(starts_at=ANCHOR, started_at=ANCHOR, ended_at=at(6, 20))
    assert find_next_season(calendar(Rhythm.AFTER_END), ended) == NextSeason(at(6, 20), at(6, 23))
    running = SeasonDates(starts_at=ANCHOR, started_at=ANCHOR)
    assert find_next_season(calendar(Rhythm.AFTER_END), running) is None


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
