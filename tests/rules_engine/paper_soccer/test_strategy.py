"""The computer's play in Paper Soccer: whole turns without duplicates, goals when there are any, no own goals."""

from pathlib import Path

import pytest

from rules_engine.analysis import judge_moves
from rules_engine.paper_soccer.field import NAMES, NUMBERS, POINTS
from rules_engine.paper_soccer.strategy import LEVELS, VIEW
from rules_engine.paper_soccer.strategy.spot import TO_GOAL
from rules_engine.paper_soccer.strategy.view import PaperSoccerView, match_chance
from rules_engine.registry import SPECS, get_game
from rules_engine.search import Budget, search
from rules_engine.values import Side
from tests.rules_engine.paper_soccer.naive import COMPASS, FIELD, NORTH_GOAL, SOUTH_GOAL, joins
from tests.rules_engine.paper_soccer.test_p9_counts import POSITIONS
from tests.rules_engine.playouts import playout

EVERYTHING = 10**6
POINT = get_game("paper-soccer-1")
MATCH = get_game("paper-soccer")

levels = pytest.mark.parametrize("level", SPECS["paper-soccer"].strategies)


def after(*moves, first="yellow", game=POINT):
    state = game.start().play(first)
    for move in moves:
        state = state.play(move)
    return state


def all_turns(state):
    """Return who wins by each whole turn of the side to act, by its result, playing step after step."""
    side, found, waiting = state.turn, {}, [state]
    while waiting:
        reached = waiting.pop()
        for step in reached.legal_moves():
            following = reached.play(step)
            if following.turn is side:
                waiting.append(following)
            else:
                winner = following.outcome and following.outcome.winner
                found[following.rally.ball, following.rally.drawn] = winner
    return found


@pytest.mark.parametrize("seed", range(8))
def test_whole_turns_are_all_that_decide_nothing_or_else_one_that_wins_and_none_comes_twice(seed):
    """In the first dozen steps, where all of them can be followed."""
    view = PaperSoccerView(bounces=EVERYTHING)
    for state in playout("paper-soccer-1", seed).states[1:14:2]:
        if state.turn is None:
            break
        moves, _ = view.moves(view.enter(state))
        for text, spot in moves:
            played = state.play(text)
            assert view.turn(spot) is played.turn
            assert (spot.ball, spot.drawn) == (played.rally.ball, played.rally.drawn)  # type: ignore[attr-defined]
        places = [(spot.ball, spot.drawn) for _, spot in moves]
        assert len(places) == len(set(places))
        turns = all_turns(state)
        if state.turn in turns.values():
            assert [turns[place] for place in places] == [state.turn]
        else:
            assert set(places) == {place for place, winner in turns.items() if not winner}


def test_three_turns_from_the_start_lead_to_as_many_positions_as_are_counted():
    view = PaperSoccerView(bounces=EVERYTHING)
    spots = {view.enter(after())}
    for _ in range(3):
        spots = {following for spot in spots for _, following in view.moves(spot)[0]}
    assert len(spots) == POSITIONS[2]


def test_only_so_many_ways_of_bouncing_are_followed():
    state = playout("paper-soccer-1", 1).states[4]
    few, more = (PaperSoccerView(bounces).moves(VIEW.enter(state))[0] for bounces in (1, 200))
    assert 0 < len(few) < len(more)


NARROW = (
    "0-0 red 0 0 3 67 5 7 0 52721 7533 21 45 021 3 55771 222 0 74 6 30343 6 1 17 53436 7023617 7653"
    " 01057 453253 2 3 6 3 0065 213535 0 5 31667 4 7 21"
)
"""Late in a point: much bouncing, and few places where a turn can end."""


def test_a_budget_counts_the_bounces_too():
    state = POINT.read(NARROW)
    moves, looked_at = VIEW.moves(VIEW.enter(state))
    assert len(moves) == 3
    assert VIEW.bounces <= looked_at - len(moves) <= 2 * VIEW.bounces
    assert search(state, VIEW, Budget(nodes=10**6, depth=1)).nodes == looked_at


def naive_steps_to_goal(goal):
    """Return how many steps each point of the field is from the goal, by the naive rules and with nothing drawn."""
    steps, waiting = dict.fromkeys(goal, 0), [*goal]
    for end in waiting:
        for x, y in COMPASS.values():
            start = end[0] - x, end[1] - y
            if start in FIELD and start not in steps and joins(start, end):
                steps[start] = steps[end] + 1
                waiting.append(start)
    return steps


@pytest.mark.parametrize(("side", "goal"), [(Side.YELLOW, NORTH_GOAL), (Side.RED, SOUTH_GOAL)])
def test_the_distance_of_a_point_from_the_goal_is_the_number_of_steps_that_it_takes(side, goal):
    """Around the posts, and not along the walls."""
    steps = naive_steps_to_goal(goal)
    assert {place: TO_GOAL[side][NUMBERS[place]] for place in FIELD | goal} == steps
    corners = ["c11", "g11"] if side is Side.YELLOW else ["c1", "g1"]
    assert [TO_GOAL[side][NAMES.index(corner)] for corner in corners] == [3, 3]


def test_out_of_ones_own_goal_no_step_leads():
    assert {TO_GOAL[Side.YELLOW][NUMBERS[place]] for place in SOUTH_GOAL} == {POINTS}


BEFORE_A_GOAL = [("yellow", "0 0 0 0"), ("red", "4 4 4 4")]


@levels
@pytest.mark.parametrize(("first", "turns"), BEFORE_A_GOAL)
def test_it_takes_the_goal_when_there_is_one(level, first, turns):
    state = after(*turns.split(), first=first)
    chosen = SPECS["paper-soccer"].strategies[level](state)
    assert state.play(chosen).outcome.winner == first


WINS = (Path(__file__).parent / "wins.txt").read_text().splitlines()
"""Positions of matches that people played, in which the side to act wins the point in this turn."""


def test_no_win_in_one_turn_is_missed_however_long_it_is():
    engine = SPECS["paper-soccer"].engine
    for position in WINS:
        state = POINT.read(position)
        for strategy in SPECS["paper-soccer"].strategies.values():
            assert state.play(strategy(state)).outcome.winner is state.turn, position
        assert VIEW.value(VIEW.enter(state)) == (state.turn is Side.YELLOW), "without any search, too"
        verdict = next(judge_moves(state, [state.legal_moves()[0]], engine))
        assert verdict.before == (state.turn is Side.YELLOW)
        assert state.play(verdict.best).outcome.winner is state.turn


@pytest.mark.parametrize("seed", [0, 1, 3, 4])
def test_a_win_in_one_turn_is_found_where_playing_every_step_finds_one(seed):
    """Also that there is none: in the last turns of a point, where all of them can be played."""
    for state in playout("paper-soccer-1", seed).states[-6:-1]:
        if isinstance(state.turn, Side):
            ((_, first), *_), _ = VIEW.moves(VIEW.enter(state))
            assert (first.side is None and first.won == (state.turn is Side.YELLOW)) == can_win(state)


def can_win(state):
    """Return whether the side to act can reach the goal in this turn, by following every position once."""
    seen, waiting = {state}, [state]
    for reached in waiting:
        for step in reached.legal_moves():
            after = reached.play(step)
            if after.outcome and after.outcome.winner is state.turn:
                return True
            if after.turn is state.turn and after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


@pytest.mark.parametrize("level", ["club", "strong"])
def test_it_does_not_let_the_opponent_score_when_it_can_be_helped(level):
    state = after("0", "0", "0")
    losing = [
        text
        for text, spot in VIEW.moves(VIEW.enter(state))[0]
        if spot.side is Side.YELLOW and [end.won for _, end in VIEW.moves(spot)[0]] == [1]
    ]
    assert losing
    chosen = SPECS["paper-soccer"].strategies[level](state)
    assert chosen not in losing


def test_own_goals_come_only_where_nothing_else_is_left():
    """Red begins and goes south; Yellow is before its own goal with many ways to go."""
    state = after("4", "4", "4", "4", "4", first="red")
    assert state.turn is Side.YELLOW
    own_goals = [step for step in state.legal_moves() if state.play(step).outcome]
    assert own_goals
    moves, _ = VIEW.moves(VIEW.enter(state))
    assert moves
    assert all(spot.side is Side.RED for _, spot in moves)


@pytest.mark.parametrize("score", [(0, 0), (2, 0), (2, 1)])
def test_a_point_is_worth_what_it_changes_in_the_match(score):
    """Before each point the chances are those of the score; within it they lie between those after it."""
    state = MATCH.read(f"{score[0]}-{score[1]} {'coin' if score == (0, 0) else 'red 0'}")
    spot = VIEW.enter(state)
    won, lost = match_chance(score[0] + 1, score[1], 3), match_chance(score[0], score[1] + 1, 3)
    assert (spot.won, spot.lost) == (won, lost)
    assert lost < VIEW.value(spot) < won


def test_before_the_coin_both_are_as_likely_to_win():
    assert VIEW.value(VIEW.enter(MATCH.start())) == 0.5
    result = search(POINT.start(), VIEW, LEVELS[1].budget)
    assert result.value == pytest.approx(0.5)
    assert result.values["yellow"] == pytest.approx(1 - result.values["red"])
    assert result.best is None


def test_the_chances_of_a_match_of_points_are_those_of_fair_points():
    assert match_chance(0, 0, 3) == 0.5
    assert match_chance(2, 0, 3) == 0.875
    assert match_chance(1, 2, 3) == 0.25
    assert (match_chance(3, 1, 3), match_chance(2, 3, 3)) == (1, 0)


def test_a_decided_match_is_worth_its_winner():
    over = playout("paper-soccer", 2).states[-1]
    assert VIEW.value(VIEW.enter(over)) == (over.outcome.winner is Side.YELLOW)
    assert VIEW.turn(VIEW.enter(over)) is None
