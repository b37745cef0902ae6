"""Planning vacation, and taking plans back."""

from datetime import UTC, date, datetime, timedelta

import pytest

from players.errors import DayHasBegun, DayNotPlanned, InvalidDates, NoVacationLeft
from players.models import VacationDay
from players.selectors import VacationYear, days_of, vacation_in
from players.services import cancel_day, ensure_computer, plan_vacation
from tests.players.conftest import NOON

DAY = timedelta(days=1)
TODAY = NOON.date()
CHRISTMAS = date(2026, 12, 24)


def test_planned_days_begin_at_midnight_utc(anna):
    days = plan_vacation(player=anna, first=CHRISTMAS, last=CHRISTMAS + DAY, now=NOON)
    assert [(day.starts_at, day.is_planned) for day in days] == [
        (datetime(2026, 12, 24, tzinfo=UTC), True),
        (datetime(2026, 12, 25, tzinfo=UTC), True),
    ]
    assert days[0].ends_at == days[1].starts_at


def test_days_that_are_planned_already_stay_as_they_are(anna):
    first = plan_vacation(player=anna, first=CHRISTMAS, last=CHRISTMAS, now=NOON)
    again = plan_vacation(player=anna, first=CHRISTMAS - DAY, last=CHRISTMAS + DAY, now=NOON + DAY)
    assert len(again) == 3
    assert again[1] == first[0]
    assert vacation_in(player=anna, year=2026, now=NOON) == VacationYear(2026, allowance=30, spent=0, planned=3)


def test_nobody_plans_more_than_there_are_and_then_nothing_is_planned(anna, settings):
    settings.VACATION_DAYS = 3
    with pytest.raises(NoVacationLeft, match="3 days of vacation left in 2026"):
        plan_vacation(player=anna, first=CHRISTMAS, last=CHRISTMAS + 3 * DAY, now=NOON)
    assert not VacationDay.objects.exists()


def test_each_year_has_its_own_days(anna, settings):
    settings.VACATION_DAYS = 3
    plan_vacation(player=anna, first=date(2026, 12, 29), last=date(2027, 1, 3), now=NOON)
    assert [vacation_in(player=anna, year=year, now=NOON).left for year in (2026, 2027, 2028)] == [0, 0, 3]
    with pytest.raises(NoVacationLeft):
        plan_vacation(player=anna, first=date(2027, 5, 1), last=date(2027, 5, 1), now=NOON)


@pytest.mark.parametrize(
    ("first", "last"), [(TODAY, TODAY), (TODAY - DAY, TODAY + DAY), (CHRISTMAS, CHRISTMAS - DAY), (TODAY, date.max)]
)
def test_days_are_planned_from_tomorrow_to_a_year_ahead(anna, first, last):
    with pytest.raises(InvalidDates):
        plan_vacation(player=anna, first=first, last=last, now=NOON)


def test_a_day_is_spent_once_it_has_begun(anna):
    (day,) = plan_vacation(player=anna, first=CHRISTMAS, last=CHRISTMAS, now=NOON)
    assert vacation_in(player=anna, year=2026, now=day.starts_at - timedelta(seconds=1)).spent == 0
    assert vacation_in(player=anna, year=2026, now=day.starts_at).spent == 1


def test_a_plan_can_be_taken_back_until_the_day_begins(anna, guest):
    (day, _other) = plan_vacation(player=anna, first=CHRISTMAS, last=CHRISTMAS + DAY, now=NOON)
    with pytest.raises(DayNotPlanned):
        cancel_day(player=guest, day=CHRISTMAS, now=NOON)
    cancel_day(player=anna, day=CHRISTMAS + DAY, now=day.starts_at)
    with pytest.raises(DayHasBegun):
        cancel_day(player=anna, day=CHRISTMAS, now=day.starts_at)
    with pytest.raises(DayNotPlanned):
        cancel_day(player=anna, day=CHRISTMAS + DAY, now=NOON)
    assert list(days_of(player=anna)) == [day]


def test_the_computer_has_no_vacation(db):
    computer = ensure_computer(level="club", now=NOON)
    with pytest.raises(NoVacationLeft):
        plan_vacation(player=computer, first=CHRISTMAS, last=CHRISTMAS, now=NOON)
