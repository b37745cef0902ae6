"""The clock: banks, increments, caps and deadlines."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from matches.clock import (
    CORRESPONDENCE,
    DAY,
    MILLISECOND,
    ClockFault,
    InvalidClock,
    RunningClock,
    TimeControl,
    charge,
    is_late,
    spent,
    whole_millisecond,
)
from matches.forms import PRESETS

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)

milliseconds = st.integers(0, 10**10).map(lambda count: count * MILLISECOND)
moments = milliseconds.map(lambda passed: NOON + passed)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    bank = draw(st.integers(1, 10**7))
    return TimeControl.of_seconds(bank, draw(st.integers(0, 10**6)), bank + draw(st.integers(0, 10**6)))


def test_the_default_is_240_hours_and_36_more_after_each_turn_never_above_240():
    assert TimeControl.of_seconds(864_000, 129_600, 864_000) == CORRESPONDENCE


@pytest.mark.parametrize(
    ("bank", "increment", "cap", "fault"),
    [
        (0, 1, 1, ClockFault.BANK_OUT_OF_RANGE),
        (-5, 0, 60, ClockFault.BANK_OUT_OF_RANGE),
        (60, -1, 60, ClockFault.INCREMENT_OUT_OF_RANGE),
        (60, 0, 59, ClockFault.CAP_OUT_OF_RANGE),
        (10**9, 0, 10**9, ClockFault.BANK_OUT_OF_RANGE),
        (60, 10**9, 60, ClockFault.INCREMENT_OUT_OF_RANGE),
        (60, 0, 10**9, ClockFault.CAP_OUT_OF_RANGE),
    ],
)
def test_a_senseless_time_control_is_refused(bank, increment, cap, fault):
    with pytest.raises(InvalidClock) as refused:
        TimeControl.of_seconds(bank, increment, cap)
    assert refused.value.fault is fault


@pytest.mark.parametrize(("bank", "increment", "cap"), [(1, 999_999, 1), (1, 2, 3600), (600, 601, 600)])
def test_a_new_match_has_no_increment_above_its_bank(bank, increment, cap):
    with pytest.raises(InvalidClock) as refused:
        TimeControl.for_new_match(bank, increment, cap)
    assert refused.value.fault is ClockFault.INCREMENT_ABOVE_BANK


def test_a_match_that_has_an_increment_above_its_bank_keeps_its_clock():
    assert TimeControl.of_seconds(1, 999_999, 1).increment == timedelta(seconds=999_999)


@pytest.mark.parametrize("preset", [*PRESETS.values(), TimeControl.of_seconds(60, 60, 60)])
def test_every_time_control_that_is_offered_can_be_chosen(preset):
    assert TimeControl.for_new_match(*preset.in_seconds) == preset


def test_a_turn_takes_its_time_and_earns_the_increment():
    control = TimeControl.of_seconds(600, 10, 900)
    assert charge(control, timedelta(seconds=600), timedelta(seconds=45)) == timedelta(seconds=565)


def test_a_turn_that_takes_the_whole_bank_cannot_be_charged():
    control = TimeControl.of_seconds(600, 10, 600)
    with pytest.raises(InvalidClock) as refused:
        charge(control, timedelta(seconds=30), timedelta(seconds=30))
    assert refused.value.fault is ClockFault.BANK_SPENT


def test_the_clock_ticks_in_whole_milliseconds():
    moment = datetime(2026, 11, 1, 12, 0, 0, 1999, tzinfo=UTC)
    assert whole_millisecond(moment) == datetime(2026, 11, 1, 12, 0, 0, 1000, tzinfo=UTC)


def test_a_clock_that_was_set_back_gives_no_time():
    assert spent(NOON, NOON - timedelta(hours=1)) == timedelta(0)


def test_at_the_deadline_itself_it_is_too_late():
    assert is_late(NOON, NOON)
    assert not is_late(NOON, NOON - timedelta(microseconds=1))


@given(controls(), milliseconds, milliseconds)
def test_time_is_never_created_and_a_bank_never_above_the_cap(control, bank, used):
    assume(used < bank <= control.cap)
    after = charge(control, bank, used)
    assert timedelta(0) < after <= control.cap
    assert after <= bank - used + control.increment


@given(moments, milliseconds, milliseconds)
def test_a_larger_bank_has_a_later_deadline(start, bank, more):
    assert RunningClock(bank, start).deadline <= RunningClock(bank + more, start).deadline
    assert RunningClock(bank, start).deadline <= RunningClock(bank, start + more).deadline


@given(moments, milliseconds, st.integers(-(10**13), 10**13))
def test_a_turn_can_be_charged_exactly_if_it_is_not_late(start, bank, microseconds):
    assume(bank > timedelta(0))
    running = RunningClock(bank, start)
    now = start + timedelta(microseconds=microseconds)
    assert running.is_late(now) == (running.left(whole_millisecond(now)) <= timedelta(0))


@pytest.mark.parametrize(("bank", "live"), [(60, True), (86_399, True), (86_400, False), (864_000, False)])
def test_a_match_whose_bank_is_under_a_day_is_live(bank, live):
    assert TimeControl.of_seconds(bank, 0, bank).is_live is live


def test_a_day_of_vacation_adds_24_hours_above_the_cap_if_need_be():
    running = RunningClock(CORRESPONDENCE.cap, NOON).with_day()
    assert (running.bank, running.deadline) == (timedelta(hours=264), NOON + timedelta(days=11))
    assert running.charged(CORRESPONDENCE, NOON + timedelta(hours=1)) == CORRESPONDENCE.cap


def test_an_extension_stops_at_the_cap_and_charges_what_was_used():
    used = timedelta(hours=100)
    extended, given_time = RunningClock(CORRESPONDENCE.bank, NOON).extended(CORRESPONDENCE, 9 * DAY, NOON + used)
    assert (extended, given_time) == (RunningClock(CORRESPONDENCE.cap, NOON + used), used)


def test_a_pause_moves_the_deadline_by_its_length():
    running = RunningClock(DAY, NOON)
    paused = running.after_pause(timedelta(hours=5))
    assert (paused.bank, paused.deadline) == (DAY, running.deadline + timedelta(hours=5))


@st.composite
def running_clocks(draw: st.DrawFn) -> tuple[TimeControl, RunningClock, datetime]:
    """Make a clock with a moment in its turn, before its deadline."""
    control = draw(controls())
    bank = draw(st.integers(1, control.cap // MILLISECOND)) * MILLISECOND
    running = RunningClock(bank, draw(moments))
    return control, running, running.started_at + draw(st.integers(0, bank // MILLISECOND - 1)) * MILLISECOND


# What is done to a clock from outside, and how much time that gives at most.
CHANGES = st.lists(st.tuples(st.sampled_from(["day", "extension", "pause"]), milliseconds), max_size=10)


@given(running_clocks(), CHANGES, st.integers(-(10**9), 10**9))
def test_a_change_from_outside_gives_just_what_it_says_and_never_brings_the_deadline_nearer(drawn, changes, drift):
    control, running, now = drawn
    now += drift * MILLISECOND
    assume(not running.is_late(now))
    for change, length in changes:
        before = running
        if change == "day":
            running, gained = running.with_day(), DAY
        elif change == "pause":
            running, gained = running.after_pause(length), length
        else:
            running, gained = running.extended(control, length, now)
            assert timedelta(0) <= gained <= length
            assert not gained or running.left(now) <= control.cap
        assert running.deadline >= before.deadline
        assert running.deadline == before.deadline + gained or now < before.started_at
        assert running.left(now) > timedelta(0)


@given(running_clocks(), st.integers(0, 5))
def test_a_bank_is_above_its_cap_only_during_the_turn_that_vacation_made_longer(drawn, days):
    control, running, now = drawn
    for _ in range(days):
        running = running.with_day()
    assert running.bank <= control.cap + days * DAY
    assert timedelta(0) < running.charged(control, now) <= control.cap


@given(controls(), st.lists(milliseconds, min_size=1, max_size=30))
def test_over_a_whole_match_a_side_never_has_more_than_its_bank_and_its_increments(control, turns):
    bank, used = control.bank, timedelta(0)
    for turn in turns:
        if turn < bank:
            bank = charge(control, bank, turn)
            used += turn
    assert bank + used <= control.bank + len(turns) * control.increment
