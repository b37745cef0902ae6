"""P1 to P4: the field, its walls, its goals, and that no line is drawn twice."""

import pytest

from rules_engine.paper_soccer.field import GOALS, NAMES, PLACES, POINTS, SEGMENTS, WALLS
from tests.drawing import as_text
from tests.rules_engine.paper_soccer import naive
from tests.rules_engine.paper_soccer.diagrams import begun, name, placed, refuses

FRESH_FIELD = """\
 d12            #  #  #           f12
 a11   +  +  +  +  .  +  +  +  +  i11
 a10   +  .  .  .  .  .  .  .  +  i10
  a9   +  .  .  .  .  .  .  .  +  i9
  a8   +  .  .  .  .  .  .  .  +  i8
  a7   +  .  .  .  .  .  .  .  +  i7
  a6   +  .  .  . ()  .  .  .  +  i6
  a5   +  .  .  .  .  .  .  .  +  i5
  a4   +  .  .  .  .  .  .  .  +  i4
  a3   +  .  .  .  .  .  .  .  +  i3
  a2   +  .  .  .  .  .  .  .  +  i2
  a1   +  +  +  +  .  +  +  +  +  i1
  d0            #  #  #           f0
"""


def test_the_field_has_105_points_and_the_ball_starts_in_its_middle():
    assert POINTS == 105
    assert as_text(begun().picture()) == FRESH_FIELD


def test_yellow_attacks_north_and_red_south():
    assert [NAMES[point] for point in range(POINTS) if GOALS.red >> point & 1] == ["d12", "e12", "f12"]
    assert [NAMES[point] for point in range(POINTS) if GOALS.yellow >> point & 1] == ["d0", "e0", "f0"]


def test_the_playable_steps_are_those_of_the_rules():
    by_rules = {
        frozenset({start, (start[0] + east, start[1] + south)})
        for start in naive.FIELD
        for east, south in naive.COMPASS.values()
        if naive.joins(start, (start[0] + east, start[1] + south))
    }
    assert {frozenset({PLACES[start], PLACES[end]}) for start, end in SEGMENTS} == by_rules
    assert len(SEGMENTS) == len(by_rules) == 316


def test_the_walls_are_those_of_the_rules():
    assert {PLACES[point] for point in range(POINTS) if WALLS >> point & 1} == {
        place for place in naive.FIELD if naive.on_wall(place)
    }


@pytest.mark.parametrize(
    ("x", "y", "step", "rule", "words"),
    [
        (0, 5, "6", "P2", "no point west of a6"),
        (0, 5, "7", "P2", "north-west of a6"),
        (0, 5, "0", "P2", "along the wall, from a6 to a7"),
        (8, 5, "4", "P2", "along the wall, from i6 to i5"),
        (2, 0, "2", "P2", "along the wall, from c11 to d11"),
        (6, 10, "6", "P2", "along the wall, from g1 to f1"),
        (3, 0, "0", "P2", "along the wall, from d11 to d12"),
        (5, 10, "4", "P2", "along the wall, from f1 to f0"),
        (2, 0, "1", "P3", "past the posts, from c11 to d12"),
        (6, 10, "5", "P3", "past the posts, from g1 to f0"),
    ],
)
def test_a_step_into_a_wall_is_refused(x, y, step, rule, words):
    refuses(placed(x, y), step, rule, words)


def test_a_line_is_not_drawn_twice_in_either_direction():
    refuses(begun("0"), "4", "P4", "there is already a line from e7 to e6")
    refuses(begun("0 1 6 3"), "7", "P4", "already a line from f7 to e8")


def test_a_drawn_diagonal_may_be_crossed():
    state = begun("1 6").play("3")

    assert state.picture().ball == name(5, 5)
    assert "X" in as_text(state.picture())
