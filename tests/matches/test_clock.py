"""The clock: banks, increments, caps and deadlines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from matches.clock import CORRESPONDENCE, MILLISECOND, TimeControl, charge, deadline, is_late, spent, whole_millisecond

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)

milliseconds = st.integers(0, 10**10).map(lambda count: count * MILLISECOND)
moments = milliseconds.map(lambda passed: NOON + passed)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    bank = draw(st.integers(1, 10**7))
    return TimeControl.of_seconds(bank, draw(st.integers(0, 10**6)), bank + draw(st.integers(0, 10**6)))


def test_the_default_is_240_hours_and_36_more_after_each_turn_never_above_240() -> None:
    assert TimeControl.of_seconds(864_000, 129_600, 864_000) == CORRESPONDENCE


@pytest.mark.parametrize(
    ("bank", "increment", "cap"),
    [(0, 1, 1), (-5, 0, 60), (60, -1, 60), (60, 0, 59), (10**9, 0, 10**9), (60, 10**9, 60), (60, 0, 10**9)],
)
def test_a_senseless_time_control_is_refused(bank: int, increment: int, cap: int) -> None:
    with pytest.raises(ValueError, match="must be between"):
        TimeControl.of_seconds(bank, increment, cap)


def test_a_turn_takes_its_time_and_earns_the_increment() -> None:
    control = TimeControl.of_seconds(600, 10, 900)
    assert charge(control, timedelta(seconds=600), timedelta(seconds=45)) == timedelta(seconds=565)


def test_a_turn_that_takes_the_whole_bank_cannot_be_charged() -> None:
    control = TimeControl.of_seconds(600, 10, 600)
    with pytest.raises(ValueError, match="ran out"):
        charge(control, timedelta(seconds=30), timedelta(seconds=30))


def test_the_clock_ticks_in_whole_milliseconds() -> None:
    moment = datetime(2026, 11, 1, 12, 0, 0, 1999, tzinfo=UTC)
    assert whole_millisecond(moment) == datetime(2026, 11, 1, 12, 0, 0, 1000, tzinfo=UTC)


def test_a_clock_that_was_set_back_gives_no_time() -> None:
    assert spent(NOON, NOON - timedelta(hours=1)) == timedelta(0)


def test_at_the_deadline_itself_it_is_too_late() -> None:
    assert is_late(NOON, NOON)
    assert not is_late(NOON, NOON - timedelta(microseconds=1))


@given(controls(), milliseconds, milliseconds)
def test_time_is_never_created_and_a_bank_never_above_the_cap(
    control: TimeControl, bank: timedelta, used: timedelta
) -> None:
    assume(used < bank <= control.cap)
    after = charge(control, bank, used)
    assert timedelta(0) < after <= control.cap
    assert after <= bank - used + control.increment


@given(moments, milliseconds, milliseconds)
def test_a_larger_bank_has_a_later_deadline(start: datetime, bank: timedelta, more: timedelta) -> None:
    assert deadline(start, bank) <= deadline(start, bank + more)
    assert deadline(start, bank) <= deadline(start + more, bank)


@given(moments, milliseconds, st.integers(-(10**13), 10**13))
def test_a_turn_can_be_charged_exactly_if_it_is_not_late(start: datetime, bank: timedelta, microseconds: int) -> None:
    assume(bank > timedelta(0))
    now = start + timedelta(microseconds=microseconds)
    on_time = not is_late(deadline(start, bank), now)
    assert on_time == (spent(start, whole_millisecond(now)) < bank)


@given(controls(), st.lists(milliseconds, min_size=1, max_size=30))
def test_over_a_whole_match_a_side_never_has_more_than_its_bank_and_its_increments(
    control: TimeControl, turns: list[timedelta]
) -> None:
    bank, used = control.bank, timedelta(0)
    for turn in turns:
        if turn < bank:
            bank = charge(control, bank, turn)
            used += turn
    assert bank + used <= control.bank + len(turns) * control.increment
