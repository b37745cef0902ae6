"""The places where the parts of plots are drawn."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.pages.pictures.bracket_layout import Bracket
from tournaments.tables.plot import HEIGHT, LEFT, RIGHT, WIDTH, Reading, draw_plot

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def readings(*values):
    return [Reading(NOON + DAY * index, value) for index, value in enumerate(values)]


def test_a_better_place_is_higher_and_a_better_rating_too():
    places = draw_plot(readings(9, 3), until=NOON + 2 * DAY, is_place=True)
    ratings = draw_plot(readings(1500, 1530), until=NOON + 2 * DAY)
    assert places.dots[1].y < places.dots[0].y
    assert ratings.dots[1].y < ratings.dots[0].y


def test_a_place_is_held_until_the_next_one():
    plot = draw_plot(readings(2, 1), until=NOON + 2 * DAY, is_place=True)
    first, second = plot.dots
    assert plot.path == f"M{first.x} {first.y}H{second.x}V{second.y}H{plot.right}.0"


@pytest.mark.parametrize("values", [(1,), (1, 1), (7, 7, 7), (1500.25,), (1000, 2900), (1, 100_000), (0.5, 0.75)])
@pytest.mark.parametrize("is_place", [False, True])
def test_every_reading_is_within_the_plot_and_the_grid(values, is_place):
    if is_place:
        values = [max(1, round(value)) for value in values]
    plot = draw_plot(readings(*values), until=NOON + len(values) * DAY, is_place=is_place)
    assert 2 <= len(plot.lines) <= 8
    assert len({line.value for line in plot.lines}) == len(plot.lines)
    ys = [line.y for line in plot.lines]
    for dot in plot.dots:
        assert LEFT <= dot.x <= WIDTH - RIGHT
        assert min(ys) <= dot.y <= max(ys) < HEIGHT
    assert plot.lines[0].value >= (1 if is_place else 0)


def test_many_readings_have_no_dots_of_their_own():
    plot = draw_plot(readings(*range(1500, 1600)), until=NOON + 100 * DAY)
    assert plot.dots == ()
    assert plot.path.count("L") == 99


def test_nothing_is_plotted_without_readings():
    assert draw_plot([], until=NOON) is None


@pytest.mark.parametrize(
    ("rows", "sheets"),
    [
        (4, ()),
        (32, ()),
        (64, ((0, 40 + 33 * 72), (40 + 31 * 72, 33 * 72))),
        (40, ((0, 40 + 33 * 72), (40 + 31 * 72, 9 * 72))),
    ],
)
def test_a_long_bracket_is_printed_on_sheets_that_overlap(rows, sheets):
    assert Bracket(width=100, height=40 + 72 * rows, headings=(), boxes=(), links=()).sheets == sheets
