"""The computer's play: shots first, nobody off-side, the ball reached, and chances that the rules confirm."""

from itertools import pairwise
from random import Random

import pytest

from rules_engine.search import search
from rules_engine.soccer_tactics import GAMES, SPEC
from rules_engine.soccer_tactics.board import GOAL_AREAS, NUMBERS, squares_of
from rules_engine.soccer_tactics.strategy import VIEW
from rules_engine.soccer_tactics.strategy.chances import battle, chance_by_clock, chance_in_shoot_out
from rules_engine.soccer_tactics.strategy.evaluation import Sight, evaluate
from rules_engine.soccer_tactics.strategy.reach import SIZE, team_of
from rules_engine.values import Nature, Side
from tests.game_specs import LEVELS
from tests.rules_engine.soccer_tactics.diagrams import position
from tests.rules_engine.soccer_tactics.players import roll

levels = pytest.mark.parametrize("level", LEVELS)

A_STRIKER_WAITS = """
    15 .  .  .  R2 .  .  .  .
    13 .  .  Y11 .  .  .  .  .
    10 .  .  Y10o .  .  .  R6 .
    9  .  Y7 .  .  .  .  .  .
    4  .  .  Y3 .  .  .  .  .
"""


def choose(level, state):
    """Return what a level plays."""
    return SPEC.strategies[level](state)


@levels
def test_it_passes_to_the_pawn_that_shoots(level):
    assert choose(level, position(A_STRIKER_WAITS, "ball", 3)) == ">c13"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_it_does_not_pass_to_a_pawn_that_is_off_side(level):
    assert choose(level, position(A_STRIKER_WAITS.replace("R2", ". "), "ball", 3)) != ">c13"


@levels
def test_it_moves_a_pawn_onto_a_free_ball(level):
    state = position(A_STRIKER_WAITS.replace("Y10o", "o   "), "free", 1)
    assert choose(level, state).endswith("-c10")


@levels
def test_the_keeper_comes_out_to_a_free_ball_beside_it(level):
    state = position(A_STRIKER_WAITS.replace("Y10o", "Y10 ") + "2 . . . . o . . .", "attempt", "-", side="red")
    assert choose(level, state) == "d1-e2"


def test_at_a_corner_it_places_a_pawn_where_it_can_be_passed_to():
    state = position(
        "16 Y11o . . . R1 . . .\n12 . Y10 . Y9 . R3 . .\n8 Y8 . . . R6 . . .",
        "corner",
        "-",
        restart="corner",
        kicker=11,
        count=3,
    )
    end = choose("strong", state).split("-")[1]
    assert end[0] in "cdef"
    assert end[1:] in {"13", "14", "15", "16"}


def test_defenders_who_keep_nobody_on_side_are_worth_more():
    far = position("9 . . . Y10o . . . .\n5 . Y2 Y3 . . . . .\n13 . R2 R3 . . . . .")
    deep = position("9 . . . Y10o . . . .\n5 . Y2 . . . . . .\n3 . . Y3 . . . . .\n13 . R2 R3 . . . . .")
    assert evaluate(far) > evaluate(deep)
    assert evaluate(far, Sight.SHOTS) == evaluate(deep, Sight.SHOTS)


def test_a_lead_is_worth_more_the_later_it_is():
    values = [
        evaluate(position(A_STRIKER_WAITS, clock=clock, score="1-0")) for clock in ("1.1", "1.20", "2.10", "2.24")
    ]
    assert values == sorted(values)
    assert values[0] > evaluate(position(A_STRIKER_WAITS, clock="1.1")) > 0.5


def test_no_set_counts_that_will_not_be_begun():
    late = position("5 . . . Y10o . . . .\n13 . . . R2 . . . .\n16 . . . . . . R6 .", "attempt", "?", clock="2.25")
    assert evaluate(late) == evaluate(late, Sight.SHOTS)


@pytest.mark.parametrize("bonus", range(-2, 3))
def test_the_chances_of_a_battle_are_those_of_the_rules(bonus):
    ends = [
        (own, other) for own in range(1, 7) for other in range(1, 7) if own + bonus != other or {own, other} == {1, 6}
    ]
    fouls = [pair for pair in ends if set(pair) == {1, 6}]
    won = [pair for pair in ends if pair not in fouls and pair[0] + bonus > pair[1]]
    found = battle(bonus)
    assert sum(found) == pytest.approx(1)
    assert found.won == pytest.approx(len(won) / len(ends))
    assert found.own_foul == found.other_foul == pytest.approx(1 / len(ends))


def test_the_chances_by_the_clock_are_fair_and_grow_with_the_lead():
    assert chance_by_clock(0, 20, 18) == pytest.approx(0.5)
    assert (chance_by_clock(1, 0, 18), chance_by_clock(-1, 0, 18), chance_by_clock(0, 0, 0)) == (1, 0, 0.5)
    chances = [chance_by_clock(lead, 20, 18) for lead in range(-4, 5)]
    assert all(one < other for one, other in pairwise(chances))


@pytest.mark.parametrize(
    ("goals", "chance"), [((0, 0, 0), 0.5), ((3, 0, 6), 1.0), ((0, 3, 6), 0.0), ((5, 5, 10), 0.5), ((6, 5, 11), 0.75)]
)
def test_the_chances_in_a_shoot_out(goals, chance):
    assert chance_in_shoot_out(*goals) == pytest.approx(chance)


def test_a_team_reaches_what_its_pawns_can_move_to_where_nobody_is_in_the_way():
    diagram = "9 . . Y6 . . . . .\n5 . . . . . Y3 . .\n16 R10o . . . . . . ."
    for number in range(1, 7):
        state = position(diagram, "attempt", number, side="red")
        team = team_of(Side.YELLOW, state.squares.yellow, 1)
        reached = {NUMBERS[move.split("-")[1]] for move in state.legal_moves()}
        packed = team.reach >> SIZE * (number - 1) & (1 << SIZE) - 1
        assert reached == set(squares_of(packed & ~team.field & ~GOAL_AREAS.yellow))


def test_every_move_that_reaches_the_ball_is_looked_at():
    state = position(A_STRIKER_WAITS.replace("Y10o", "o   "), "free", 1)
    listed = {text for text, _ in VIEW.moves(state)[0]}
    assert {move for move in state.legal_moves() if move.endswith("-c10")} <= listed


@levels
def test_whole_matches_are_played_by_legal_moves_that_are_chosen_again(level):
    random, state, decisions = Random(3), GAMES[1].start(), 0
    while state.turn is not None and decisions < 60:
        if state.turn is Nature.CHANCE:
            state = state.play(roll(random, state))
            continue
        decisions += 1
        chosen = choose(level, state)
        assert chosen in state.legal_moves(), str(state)
        if decisions % 10 == 0:
            assert choose(level, GAMES[1].read(str(state))) == chosen
        state = state.play(chosen)


def test_the_analysis_values_every_move_within_its_budget():
    engine = SPEC.engine
    state = position(A_STRIKER_WAITS, "ball", 3)
    result = search(state, engine.view, engine.budget, exactly=[">f10"])
    assert result.values[">c13"] == result.value > result.values[">f10"]
    assert result.nodes <= engine.budget.nodes
