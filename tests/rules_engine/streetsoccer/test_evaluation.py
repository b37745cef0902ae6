"""The computer evaluates StreetSoccer positions by the rules, and its quick ways agree with the slow ones."""

from dataclasses import replace
from typing import Any

import pytest

from rules_engine.registry import get_game
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.presets import BOARD_PRESET
from rules_engine.streetsoccer.strategy.chances import TOO_FAR, least_face, steps_to_ball
from rules_engine.streetsoccer.strategy.evaluation import NOBODY, OTHER, OWN, chance_at, evaluate, evaluate_roughly
from rules_engine.streetsoccer.strategy.perspective import LAST
from rules_engine.streetsoccer.strategy.view import StreetSoccerView, expand
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import BySide, Side
from tests.rules_engine.diagrams import position
from tests.rules_engine.playouts import playout

KEYS = ["streetsoccer-board", "streetsoccer-online"]
FACES = range(1, 7)

games = pytest.mark.parametrize("key", KEYS)


def states_of(key, seed=11):
    return playout(key, seed).states


@games
def test_the_least_face_that_scores_is_the_one_that_the_rules_say(key):
    compared = set()
    for state in states_of(key):
        if state.phase is not Phase.PLAY or not state.rolling:
            continue
        taken = spaces_of(state.own + state.opponents)
        least = least_face(state.side, state.own, taken, state.ball, steps_to_ball(taken, state.ball))
        scoring = [f for f in FACES if any(move.endswith("goal") for move in state.play(str(f)).legal_moves())]
        assert scoring == [face for face in FACES if face >= least], str(state)
        compared.add(least)
    assert TOO_FAR in compared
    assert len(compared) > 2


@games
def test_all_moves_at_once_are_the_moves_one_by_one(key):
    expanded = 0
    for state in states_of(key)[::3]:
        if state.rolling or state.side is None:
            continue
        moves = [(move, state.play(move)) for move in state.legal_moves()]
        goals = [(move, after) for move, after in moves if move.endswith("goal")]
        assert expand(state) == (goals or moves)
        expanded += len(moves)
    assert expanded > 500


@games
@pytest.mark.parametrize("judge", [evaluate, evaluate_roughly])
def test_a_chance_lies_between_nothing_and_certainty_and_is_certain_only_at_the_end(key, judge):
    states = states_of(key)
    last_turn = states[-1].turns - 1
    assert last_turn in (49, 69)
    for state in states[:-1]:
        assert 0 < judge(state) < 1 or state.turns == last_turn, str(state)
    assert judge(states[-1]) == {Side.YELLOW: 1, Side.RED: 0, None: 0.5}[states[-1].outcome.winner]


OPEN_GOAL = """
    10 . . . . . R . .
     8 . . . o y . . .
     6 . . r . . . . .
     5 . . . . . . r .
     4 . r . . . . . .
     3 . . . . . y . .
     2 . . . y . . r .
     1 . . . . Y . y .
"""


def test_turned_by_half_the_position_is_worth_as_much_to_the_other_side():
    drawn = position(OPEN_GOAL, dice="?", clock="20.1", score="1-0", last_scorer="yellow")
    turned = replace(
        drawn,
        players=BySide(
            tuple(LAST - place for place in drawn.players.red), tuple(LAST - place for place in drawn.players.yellow)
        ),
        ball=LAST - drawn.ball,
        side=drawn.side.opponent,
        score=BySide(0, 1),
        last_scorer=Side.RED,
    )
    assert evaluate(turned) == pytest.approx(1 - evaluate(drawn))
    assert evaluate(drawn) > 0.8
    assert evaluate_roughly(turned) == pytest.approx(1 - evaluate_roughly(drawn))


def test_the_last_turn_is_worth_just_the_faces_that_score():
    """Level after 34 minutes and a half of a goalless match: Red's last turn is over, Yellow scores or nobody wins."""
    state = position(OPEN_GOAL, side="yellow", dice="?", clock="35.2")
    faces = [f for f in FACES if any(move.endswith("goal") for move in state.play(str(f)).legal_moves())]
    assert 0 < len(faces) <= 6
    assert evaluate(state) == pytest.approx(len(faces) / 6 + (1 - len(faces) / 6) / 2)


LAST_TURNS = [
    ("online", "play 25.2 red ? d1,a1,h1,b2,g2 e10,e7,c8,f8,b7 c7 1-0 yellow"),
    ("online", "play 25.2 red ? d1,d5,c3,f7,e8 e10,e6,c8,f4,a5 e9 0-1 red"),
    ("board", "play 25.2 yellow ? e1,d5,c3,f7,e8 e10,e6,c8,f4,a5 e9 0-2 red"),
    ("board", "play 35.2 red ? d1,a1,h1,b2,g2 e10,e7,c8,f8,b7 c7 1-1 yellow"),
]
"""The last turn of a match unless it brings a goal."""

last_turns = pytest.mark.parametrize(("preset", "text"), LAST_TURNS)


@last_turns
def test_in_the_last_turn_only_its_faces_that_score_can_change_anything(preset, text):
    state: Any = get_game(f"streetsoccer-{preset}").read(text)
    chances = []
    for face in FACES:
        moves = state.play(str(face)).legal_moves()
        after = [state.play(str(face)).play(move) for move in moves]
        chances.append(max([evaluate(there) if state.side is Side.YELLOW else 1 - evaluate(there) for there in after]))
    expected = sum(chances) / len(chances)
    assert evaluate(state) == pytest.approx(expected if state.side is Side.YELLOW else 1 - expected)


@last_turns
def test_at_a_glance_the_last_turn_may_score_as_any_may(preset, text):
    state: Any = get_game(f"streetsoccer-{preset}").read(text)
    mine = evaluate_roughly(state) if state.side is Side.YELLOW else 1 - evaluate_roughly(state)
    lead = state.score[state.side] - state.score[state.side.opponent]
    last = OWN if state.last_scorer is state.side else OTHER
    assert mine == pytest.approx(chance_at(state.preset, state.turns, lead, last))
    assert 0 <= mine <= 1
    assert (mine in (0, 1)) is (lead not in (0, -1))


def test_a_lead_is_worth_the_more_the_later_it_is():
    chances = [chance_at(BOARD_PRESET, turns, 1, OWN) for turns in range(0, 50, 10)]
    assert chances == sorted(chances)
    assert chances[0] > 0.6
    assert chance_at(BOARD_PRESET, 50, 1, OWN) == 1
    assert chance_at(BOARD_PRESET, 50, -1, OTHER) == 0


def test_level_in_extra_time_the_last_goal_is_an_advantage_that_decides_at_the_end():
    early, late, over = (chance_at(BOARD_PRESET, turns, 0, OWN) for turns in (50, 68, 70))
    assert 0.5 < early < late < over == 1
    assert chance_at(BOARD_PRESET, 70, 0, OTHER) == 0
    assert chance_at(BOARD_PRESET, 70, 0, NOBODY) == 0.5


@pytest.mark.parametrize("lead", [-2, 0, 1])
def test_the_table_agrees_with_what_a_turn_later_is_expected(lead):
    here = chance_at(BOARD_PRESET, 20, lead, OWN)
    scored = 1 - chance_at(BOARD_PRESET, 21, -(lead + 1), OTHER)
    missed = 1 - chance_at(BOARD_PRESET, 21, -lead, OTHER)
    share = (here - missed) / (scored - missed)
    assert share == pytest.approx(0.09)


def test_before_the_kick_off_nobody_is_ahead():
    board: Any = get_game("streetsoccer-board").start()
    online: Any = get_game("streetsoccer-online").start()
    assert evaluate(board) == 0.5
    assert evaluate(online) == pytest.approx(0.5, abs=0.05)


def test_insight_is_how_much_the_evaluation_counts_beside_the_looks():
    state = position(OPEN_GOAL, dice="?")
    looks, half, all_of_it = (StreetSoccerView(insight).value(state) for insight in (0, 0.5, 1))
    assert (looks, all_of_it) == (evaluate_roughly(state), evaluate(state))
    assert looks != all_of_it
    assert half == pytest.approx((looks + all_of_it) / 2)
