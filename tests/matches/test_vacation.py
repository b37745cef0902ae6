"""Vacation: days that are spent by themselves or were planned, and the clocks that they save."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest

from matches.clock import CORRESPONDENCE, DAY, TimeControl
from matches.errors import RefusedMove, TooLate
from matches.models import ClockExtension
from matches.services import expire_due, expire_match, give_days, vacation_hours
from players.models import Player, VacationDay
from players.services import ensure_computer, lock_vacation, plan_vacation
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, begin_match, reread, unchanged
from tests.matches.test_queries import queries_of

pytestmark = pytest.mark.usefixtures("borne_out")

HOUR = timedelta(hours=1)
DEADLINE = NOON + CORRESPONDENCE.bank
PLANNED = date(2026, 11, 5)
MIDNIGHT = datetime(2026, 11, 5, tzinfo=UTC)


@pytest.fixture
def start(anna, piotr):
    """Start a match in which anna is to act, with what else is wanted."""
    return partial(begin_match, anna, piotr)


def spent() -> list[datetime]:
    """Return the moments at which days were spent."""
    return list(VacationDay.objects.values_list("starts_at", flat=True))


# --- spent by itself


def test_a_day_adds_24_hours_to_all_clocks_of_the_player_that_run_and_to_no_others(start, anna, carla):
    empty, running = start(), start(now=NOON + HOUR)
    waiting = act(start(now=NOON + HOUR), YELLOW_SET_UP, now=NOON + 2 * HOUR)
    as_red = act(begin_match(carla, anna), YELLOW_SET_UP, now=NOON + HOUR)
    expire_due(now=DEADLINE)
    later = [reread(match).deadline - DEADLINE for match in (empty, running, as_red)]
    assert later == [DAY, HOUR + DAY, HOUR + DAY]
    assert reread(waiting).deadline == NOON + 2 * HOUR + CORRESPONDENCE.bank
    assert len(spent()) == 1


def test_one_day_saves_all_clocks_that_run_out_while_it_lasts(start):
    matches = [start(now=NOON + hours * HOUR) for hours in (5, 0, 20)]
    expire_due(now=DEADLINE + 23 * HOUR)
    assert spent() == [DEADLINE]
    assert [reread(match).deadline for match in matches] == [DEADLINE + hours * HOUR + DAY for hours in (5, 0, 20)]


def test_a_clock_that_starts_while_a_day_lasts_gets_its_hours_too_and_once(start):
    start()
    expire_due(now=DEADLINE)
    later = start(now=DEADLINE + HOUR)
    assert give_days(now=DEADLINE + 2 * HOUR) == 1
    assert give_days(now=DEADLINE + 3 * HOUR) == 0
    assert reread(later).deadline == DEADLINE + HOUR + CORRESPONDENCE.bank + DAY
    start(now=DEADLINE + 25 * HOUR)
    assert give_days(now=DEADLINE + 25 * HOUR) == 0


def test_days_are_spent_one_after_the_other_until_none_is_left(start, settings):
    settings.VACATION_DAYS = 2
    match = start()
    assert expire_due(now=DEADLINE + timedelta(days=30)) == 1
    match = reread(match)
    assert spent() == [DEADLINE, DEADLINE + DAY]
    assert (match.ending, match.finished_at) == ("timeout", DEADLINE + 2 * DAY)


def test_a_day_counts_for_the_year_in_which_the_clock_ran_out(start, settings):
    settings.VACATION_DAYS = 1
    eve = datetime(2026, 12, 31, 12, tzinfo=UTC)
    match = start(now=eve - CORRESPONDENCE.bank)
    expire_due(now=eve + timedelta(days=9))
    assert spent() == [eve, eve + DAY]
    assert reread(match).finished_at == eve + 2 * DAY


def test_days_that_are_planned_ahead_are_kept_for_it(start, anna, settings):
    settings.VACATION_DAYS = 1
    plan_vacation(player=anna, first=date(2026, 12, 24), last=date(2026, 12, 24), now=NOON)
    match = start()
    assert expire_due(now=DEADLINE) == 1
    assert reread(match).finished_at == DEADLINE


# --- where it is not allowed


def test_a_live_game_takes_no_vacation(start):
    match = start(time_control=TimeControl.of_seconds(86_399, 0, 86_399))
    assert expire_due(now=NOON + DAY) == 1
    assert (reread(match).ending, spent()) == ("timeout", [])


def test_a_match_that_allows_none_takes_none_even_of_a_day_that_others_have_spent(start):
    allowed, strict = start(), start(vacation_limit=0, now=NOON + HOUR)
    expire_due(now=DEADLINE + 2 * HOUR)
    assert reread(allowed).deadline == DEADLINE + DAY
    assert reread(strict).finished_at == DEADLINE + HOUR


def test_a_competition_counts_the_days_of_all_its_matches_together(start):
    first = start(vacation_limit=2, competition=7)
    second = start(vacation_limit=2, competition=7, now=NOON + HOUR)
    elsewhere = start(vacation_limit=2, competition=8, now=NOON + 60 * HOUR)
    assert expire_due(now=DEADLINE + 50 * HOUR) == 2
    assert spent() == [DEADLINE, DEADLINE + DAY]
    assert [reread(match).finished_at for match in (first, second)] == [DEADLINE + 2 * DAY, DEADLINE + HOUR + 2 * DAY]
    assert reread(elsewhere).deadline == DEADLINE + 60 * HOUR + 2 * DAY


def test_a_day_spent_for_another_match_counts_in_the_competition_that_it_helps(start):
    start()
    limited = start(vacation_limit=1, competition=7, now=NOON + HOUR)
    expire_due(now=DEADLINE + 30 * HOUR)
    assert reread(limited).finished_at == DEADLINE + HOUR + DAY


def test_the_computer_takes_none(anna):
    computer = ensure_computer(level="club", now=NOON)
    match = begin_match(computer, anna)
    assert expire_due(now=DEADLINE) == 1
    assert reread(match).winner == "red"


# --- a move after the deadline


def test_a_late_move_counts_if_a_day_is_left_and_spends_it(start):
    match = act(start(), YELLOW_SET_UP, now=DEADLINE + 23 * HOUR)
    assert spent() == [DEADLINE]
    assert match.banks.yellow == HOUR + CORRESPONDENCE.increment


def test_a_late_move_is_refused_when_no_day_is_left_and_spends_none(start, settings):
    settings.VACATION_DAYS = 1
    match, other = start(), start(now=NOON + HOUR)
    with unchanged(match, other), pytest.raises(TooLate):
        act(match, YELLOW_SET_UP, now=DEADLINE + DAY)
    assert spent() == []


def test_a_late_move_against_the_rules_spends_no_day(start):
    match = start()
    with unchanged(match), pytest.raises(RefusedMove):
        act(match, "@d9", now=DEADLINE + HOUR)
    assert spent() == []


def test_of_many_overdue_clocks_the_one_that_ran_out_first_dates_the_day(start):
    first, second = start(), start(now=NOON + HOUR)
    act(second, YELLOW_SET_UP, now=DEADLINE + 2 * HOUR)
    assert spent() == [DEADLINE]
    assert reread(first).deadline == DEADLINE + DAY


# --- planned ahead


def test_a_planned_day_gives_its_hours_when_it_begins(start, anna):
    plan_vacation(player=anna, first=PLANNED, last=PLANNED, now=NOON)
    match = start()
    assert give_days(now=MIDNIGHT - timedelta(milliseconds=1)) == 0
    assert give_days(now=MIDNIGHT) == 1
    assert reread(match).deadline == DEADLINE + DAY
    assert reread(match).banks.yellow == CORRESPONDENCE.cap + DAY


def test_a_planned_day_comes_before_one_that_is_spent_by_itself(start, anna):
    plan_vacation(player=anna, first=PLANNED, last=PLANNED, now=NOON)
    match = start(now=MIDNIGHT + HOUR - CORRESPONDENCE.bank)
    moved = act(match, YELLOW_SET_UP, now=MIDNIGHT + 20 * HOUR)
    assert spent() == [MIDNIGHT]
    assert moved.banks.yellow == 5 * HOUR + CORRESPONDENCE.increment


def test_a_planned_day_that_nobody_noticed_saves_a_clock_later(start, anna):
    plan_vacation(player=anna, first=PLANNED, last=PLANNED, now=NOON)
    match = start()
    assert expire_due(now=DEADLINE + HOUR) == 0
    assert (reread(match).deadline, spent()) == (DEADLINE + DAY, [MIDNIGHT])


def test_a_planned_day_that_falls_into_the_time_won_by_another_counts_too(start, anna):
    plan_vacation(player=anna, first=date(2026, 11, 12), last=date(2026, 11, 12), now=NOON)
    match = start()
    assert expire_due(now=DEADLINE + 40 * HOUR) == 0
    assert spent() == [DEADLINE, datetime(2026, 11, 12, tzinfo=UTC)]
    assert reread(match).deadline == DEADLINE + 2 * DAY


def test_a_planned_day_ends(start, anna):
    plan_vacation(player=anna, first=PLANNED, last=PLANNED, now=NOON)
    match = start(now=MIDNIGHT + DAY)
    assert give_days(now=MIDNIGHT + DAY) == 0
    expire_match(match_id=match.pk, now=MIDNIGHT + DAY + CORRESPONDENCE.bank)
    assert MIDNIGHT + DAY + CORRESPONDENCE.bank in spent()


# --- nobody stands in anybody's way


def test_a_player_whom_vacation_fails_loses_nothing_by_it_and_stops_nobody(start, carla, piotr, monkeypatch):
    unlucky = start()
    lucky = begin_match(carla, piotr)
    lost = start(vacation_limit=0)
    lock = lock_vacation

    def fail(*, player_id: int) -> Player:
        if player_id == unlucky.yellow_id:
            raise RuntimeError("no lock")
        return lock(player_id=player_id)

    monkeypatch.setattr(vacation_hours, "lock_vacation", fail)
    assert expire_due(now=DEADLINE) == 1
    assert reread(lost).ending == "timeout"
    assert reread(lucky).deadline == DEADLINE + DAY
    assert reread(unlucky).status == "playing"


@pytest.mark.parametrize("count", [1, 9])
def test_a_day_costs_the_same_queries_however_many_clocks_it_saves(start, anna, count):
    for _ in range(count):
        start()
    words = queries_of(lambda: vacation_hours.take_vacation(player_id=anna.pk, now=DEADLINE))
    changing = [word for word in words if word in {"UPDATE", "INSERT"}]
    assert changing == ["INSERT", "UPDATE", "INSERT"]
    assert words.count("SELECT") == 6
    assert ClockExtension.objects.count() == count
