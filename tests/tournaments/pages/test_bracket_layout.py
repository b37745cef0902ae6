"""The places where the ties of any bracket are drawn."""

from itertools import combinations

import pytest

from formats.double_elimination import DoubleElimination, DoubleEliminationOptions
from formats.knock_out import KnockOut, KnockOutOptions
from formats.protocol import FromTie, Outcome, Part, TieKey
from tournaments.pages.pictures.bracket_layout import (
    BOX_HEIGHT,
    BOX_WIDTH,
    COLUMN,
    HEAD,
    MARGIN,
    ROW,
    Box,
    Heading,
    lay_out_ties,
)

DRAWS = [
    (DoubleElimination(), DoubleEliminationOptions()),
    (DoubleElimination(), DoubleEliminationOptions(reset=False)),
    (KnockOut(), KnockOutOptions(third_place=True)),
]
SIZES = [*range(3, 10), 16, 17, 33, 100]


def lay_out(ties):
    return lay_out_ties(ties, {tie.key: tie.key for tie in ties})


def middle(box):
    return box.y + BOX_HEIGHT // 2


def test_a_double_elimination_of_four():
    picture = lay_out(DoubleElimination().draw_ties(4, DoubleEliminationOptions()))
    left = [MARGIN + COLUMN * column for column in range(5)]
    upper, lower = HEAD + ROW // 2 - BOX_HEIGHT // 2, HEAD + ROW + ROW // 2 - BOX_HEIGHT // 2
    losers = lower + ROW
    top = (upper + lower) // 2
    assert set(picture.boxes) == {
        Box(TieKey(1, Part.MAIN, 0), left[0], upper),
        Box(TieKey(1, Part.MAIN, 1), left[0], lower),
        Box(TieKey(2, Part.MAIN, 0), left[1], top),
        Box(TieKey(2, Part.LOSERS, 0), left[1], losers),
        Box(TieKey(3, Part.LOSERS, 0), left[2], losers),
        Box(TieKey(4, Part.FINAL, 0), left[3], (top + losers) // 2),
        Box(TieKey(5, Part.RESET, 0), left[4], (top + losers) // 2),
    }
    assert picture.headings == tuple(Heading(number, x) for number, x in enumerate(left, start=1))
    assert (picture.width, picture.height) == (left[4] + BOX_WIDTH + MARGIN, HEAD + 3 * ROW)
    bend, first_line = left[1] - (COLUMN - BOX_WIDTH) // 2, HEAD + ROW // 2
    assert f"M{left[0] + BOX_WIDTH} {first_line}H{bend}V{first_line + ROW // 2}H{left[1]}" in picture.links


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("format_", "options"), DRAWS)
def test_no_boxes_overlap_and_all_are_within_the_picture(format_, options, size):
    picture = lay_out(format_.draw_ties(size, options))
    assert all(0 <= box.x <= picture.width - BOX_WIDTH for box in picture.boxes)
    assert all(HEAD <= box.y <= picture.height - BOX_HEIGHT for box in picture.boxes)
    for one, other in combinations(picture.boxes, 2):
        assert one.x != other.x or abs(one.y - other.y) >= ROW


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("format_", "options"), DRAWS)
def test_a_tie_stands_halfway_between_those_whose_winners_meet_in_it(format_, options, size):
    ties = format_.draw_ties(size, options)
    picture = lay_out(ties)
    at = {box.tie: box for box in picture.boxes}
    lines = 0
    for tie in ties:
        before = [
            at[source.tie]
            for source in (tie.first, tie.second)
            if isinstance(source, FromTie) and source.outcome is Outcome.WINNER
        ]
        lines += len(before)
        if before:
            assert middle(at[tie.key]) == sum(map(middle, before)) // len(before)
        for each in before:
            start = f"M{each.x + BOX_WIDTH} {middle(each)}H"
            end = f"V{middle(at[tie.key])}H{at[tie.key].x}"
            assert any(link.startswith(start) and link.endswith(end) for link in picture.links)
    assert len(picture.links) == lines


@pytest.mark.parametrize("size", SIZES)
def test_no_line_runs_through_a_box(size):
    ties = DoubleElimination().draw_ties(size, DoubleEliminationOptions())
    picture = lay_out(ties)
    at = {box.tie: box for box in picture.boxes}
    for tie in ties:
        for source in (tie.first, tie.second):
            if not isinstance(source, FromTie) or source.outcome is Outcome.LOSER:
                continue
            start, end = at[source.tie], at[tie.key]
            between = [box for box in picture.boxes if start.x < box.x < end.x]
            assert all(abs(middle(box) - middle(start)) >= ROW for box in between)


def test_the_winners_bracket_is_above_the_losers_bracket():
    picture = lay_out(DoubleElimination().draw_ties(16, DoubleEliminationOptions()))
    lowest = max(box.y for box in picture.boxes if box.tie.part is Part.MAIN)
    assert lowest < min(box.y for box in picture.boxes if box.tie.part is Part.LOSERS)


def test_a_tie_for_third_place_is_below_all_others():
    picture = lay_out(KnockOut().draw_ties(8, KnockOutOptions(third_place=True)))
    *others, third = sorted(picture.boxes, key=lambda box: box.y)
    assert third.tie.part is Part.THIRD_PLACE
    assert third.x == max(box.x for box in others)


def test_nothing_is_drawn_without_ties():
    assert (lay_out(()).width, lay_out(()).height) == (0, 0)
