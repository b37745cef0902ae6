"""The dice always come to an end: wherever they are to be rolled, some rolls lead to a coach (S5, S18, S21)."""

from itertools import combinations, islice

import pytest

from rules_engine.registry import get_game
from tests.rules_engine.naive import KEEPER_SPACES
from tests.rules_engine.playouts import endless
from tests.rules_engine.positions import kick_off_positions, restart_positions

POSITIONS = 300

presets = pytest.mark.parametrize("preset", ["board", "online"])


def restarts(preset, yellow, red, side="yellow"):
    """Return the states after a goal, in each of which the die is to be rolled."""
    score = "0-1 red" if side == "yellow" else "1-0 yellow"
    dice = "?" if preset == "online" else "-"
    state = get_game(f"streetsoccer-{preset}").read(f"restart 3.1 {side} {dice} {yellow} {red} - {score}")
    return [state] if preset == "online" else [state.play(move) for move in state.legal_moves()]


@presets
def test_after_a_goal_wherever_the_players_stand(preset):
    for position, side in islice(restart_positions(preset, 5), POSITIONS):
        for state in restarts(preset, ",".join(position.yellow), ",".join(position.red), side):
            assert not endless(state), str(state)


MATES = ["a0,h0,a11,h11", "b1,g1,a0,h0", "b1,b2,g1,g2", "c3,d3,e3,f3", "b3,g3,b2,a0"]


@presets
@pytest.mark.parametrize("mates", MATES)
def test_after_a_goal_with_opponents_all_around_the_goal(preset, mates):
    around = [f"{file}{rank}" for rank in "12" for file in "bcdefg"]
    free = [space for space in around if space not in {*KEEPER_SPACES["yellow"], *mates.split(",")}]
    for opponents in combinations(free, 5):
        for state in restarts(preset, f"a5,{mates}", ",".join(opponents)):
            assert not endless(state), str(state)


@presets
def test_before_the_kick_off_however_the_teams_are_set_up(preset):
    for position, _ in islice(kick_off_positions(preset, 6), POSITIONS):
        teams = f"{','.join(position.yellow)} {','.join(position.red)}"
        state = get_game(f"streetsoccer-{preset}").read(f"kick-off 1.1 - ? {teams} - 0-0 -")
        assert not endless(state), str(state)
