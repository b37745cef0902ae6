"""The rules hold in every position that play can lead to, no matter who chooses and what the dice show."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.registry import get_game
from rules_engine.values import Side
from tests.rules_engine import naive

presets = pytest.mark.parametrize("preset", ["board", "online"])
choices = st.lists(st.integers(0, 10_000), min_size=80, max_size=200)
play = settings(derandomize=True)


def states_of(preset, numbers):
    """Yield the states of a match in which each number chooses a move or a roll."""
    state = get_game(f"streetsoccer-{preset}").start()
    yield state
    for number in numbers:
        texts = [roll.text for roll in state.chance()] or state.legal_moves()
        if not texts:
            return
        # Goals come first, so that a match is more than walks.
        texts = [text for text in texts if text.endswith("goal")] or texts
        state = state.play(texts[number % len(texts)])
        yield state


def parts(preset, state):
    """Return the phase, the number of the turn counted from 0, and the position for the naive generator."""
    phase, clock, _, _, yellow, red, ball, *_ = str(state).split()
    minute, half = clock.split(".")
    teams = [() if team == "-" else tuple(team.split(",")) for team in (yellow, red)]
    position = naive.Position(preset, teams[0], teams[1], None if ball == "-" else ball)
    return phase, 2 * (int(minute) - 1) + int(half) - 1, position


@presets
@play
@given(numbers=choices)
def test_the_turns_pass_from_side_to_side_and_the_clock_runs(preset, numbers):
    sides_by_turn: dict[Any, Any] = {}
    latest = 0
    for state in states_of(preset, numbers):
        phase, turn, _ = parts(preset, state)
        assert latest <= turn <= latest + 1
        latest = turn
        if phase not in ("set-up", "over") and isinstance(state.turn, Side):
            assert sides_by_turn.setdefault(turn, state.turn) is state.turn
            assert sides_by_turn.get(turn - 1, state.turn.opponent) is state.turn.opponent


@presets
@play
@given(numbers=choices)
def test_a_goal_gives_the_other_side_the_restart_and_nothing_else_does(preset, numbers):
    before = None
    for state in states_of(preset, numbers):
        phase, _, position = parts(preset, state)
        if before is not None and state.score != before.score:
            assert state.score[before.turn] == before.score[before.turn] + 1
            assert str(state).endswith(f" {before.turn}")
            assert phase in ("restart", "over")
            assert position.ball is None
        elif before is not None and phase == "restart":
            assert str(before).startswith("restart")
        before = state
