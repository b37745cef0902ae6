"""Matches as they go: their length, their goals, and what holds in every position that play comes to."""

from itertools import pairwise
from random import Random
from statistics import mean

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.soccer_tactics import GAMES
from rules_engine.soccer_tactics.position import Phase
from rules_engine.values import Side
from tests.rules_engine.soccer_tactics.diagrams import squares
from tests.rules_engine.soccer_tactics.players import far, greedy, keen, play_match

MATCHES = 6


def test_a_match_of_greedy_players_takes_about_300_decisions_and_has_about_a_goal():
    decisions, goals = [], []
    for seed in range(MATCHES):
        states = [state for state, _ in play_match(GAMES[0], Random(seed), greedy)]
        decisions.append(sum(isinstance(state.turn, Side) for state in states))
        goals.append(sum(states[-1].score))
    assert 250 < mean(decisions) < 330
    assert max(decisions) <= 400
    assert 0.5 < mean(goals) < 2


def in_half(side, square):
    return (int(square[1:]) <= 8) is (side == "Y")


@settings(max_examples=6, derandomize=True)
@given(game=st.sampled_from(GAMES), random=st.randoms(use_true_random=False), plies=st.integers(1, 600))
def test_the_limits_hold_wherever_play_leads_and_the_text_says_it_all(game, random, plies):
    source = Random(random.random())
    for ply, (state, text) in enumerate(play_match(game, source, keen)):
        if ply == plies:
            break
        standing = squares(state)
        for letter, side in zip("YR", Side, strict=True):
            own = {pawn: square for pawn, square in standing.items() if pawn[0] == letter}
            keeper = f"{letter}{state.keepers[side]}"
            assert len(set(own.values())) == len(own)
            assert all(in_half(letter, square) for pawn, square in own.items() if pawn == keeper)
            assert all(in_half(letter, own[f"{letter}{shirt}"]) for shirt in range(2, 6) if f"{letter}{shirt}" in own)
            assert_t3(own, keeper)
        assert game.read(str(state)) == state
        if isinstance(state.turn, Side):
            route = state.route(text)
            assert all(far(one, other) == 1 for way in (route.walk, route.kick) for one, other in pairwise(way)) or (
                state.phase is Phase.CORNER
            )


def assert_t3(own, keeper):
    taken = {(ord(square[0]), int(square[1:])) for square in own.values()}
    field_players = [square for pawn, square in own.items() if pawn != keeper]
    for column, row in taken:
        assert not {(column + step, row) for step in range(5)} <= taken
        assert not {(column, row + step) for step in range(4)} <= taken
    for rows in ((1, 2, 3), (14, 15, 16)):
        assert sum(square[0] in "cdef" and int(square[1:]) in rows for square in field_players) <= 4
    for area in (("d1", "e1"), ("d16", "e16")):
        assert sum(square in area for square in own.values()) <= 1


def test_the_task_says_that_no_pawn_can_move_or_that_the_holder_can_dribble_just_where_it_is_so():
    """It looks no further than the first pawn that can, and lists no moves."""
    said = set()
    for seed in range(2):
        for state, _ in play_match(GAMES[0], Random(seed), keen):
            moves, code = state.legal_moves(), state.task.code
            said.add(code)
            if code in {"task_no_pawn", "task_pawn", "task_pawn_to_ball"}:
                assert (code == "task_no_pawn") is (moves == ["pass"]), str(state)
            if code in {"task_ball", "task_ball_or_dribble"}:
                assert (code == "task_ball_or_dribble") is any(move.startswith("=") for move in moves), str(state)
    assert {"task_pawn", "task_pawn_to_ball", "task_ball", "task_ball_or_dribble"} <= said
