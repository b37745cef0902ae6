"""Times as people say them."""

from datetime import timedelta

import pytest

from matches.clock import ClockFault, InvalidClock, TimeControl
from matches.clock_sentences import clock_fault_sentence
from matches.sentences import format_duration, format_time_control, format_time_left


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(days=9, hours=21, minutes=59), "9 d 21 h"),
        (timedelta(days=1), "1 d 00 h"),
        (timedelta(hours=23, minutes=59, seconds=59), "23 h 59 min"),
        (timedelta(hours=1), "1 h 00 min"),
        (timedelta(minutes=59, seconds=59), "59:59"),
        (timedelta(seconds=9, milliseconds=1), "0:10"),
        (timedelta(0), "0:00"),
        (timedelta(seconds=-5), "0:00"),
    ],
)
def test_the_time_left_is_said_in_two_units(left, said):
    assert format_time_left(left) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (90, "90 seconds"),
        (600, "10 minutes"),
        (129600, "36 hours"),
        (864000, "10 days"),
    ],
)
def test_a_length_of_time_is_said_in_its_largest_whole_unit(seconds, said):
    assert format_duration(timedelta(seconds=seconds)) == said


def test_a_time_control_is_said_with_what_a_turn_adds():
    assert format_time_control(TimeControl.of_seconds(864000, 129600, 864000)) == "10 days + 36 hours a turn"
    assert format_time_control(TimeControl.of_seconds(300, 0, 300)) == "5 minutes"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ClockFault.BANK_OUT_OF_RANGE, "The time to start with must be between one second and 366 days."),
        (ClockFault.INCREMENT_OUT_OF_RANGE, "The time that a turn adds must be between 0 seconds and 366 days."),
        (ClockFault.CAP_OUT_OF_RANGE, "The most time on a clock must be between the time to start with and 366 days."),
        (ClockFault.INCREMENT_ABOVE_BANK, "A turn cannot add more time than a side starts with."),
        (ClockFault.BANK_SPENT, "The time ran out before the turn was over."),
    ],
)
def test_a_clock_that_cannot_be_is_refused_with_a_sentence(fault, said):
    assert clock_fault_sentence(InvalidClock(fault)) == said
