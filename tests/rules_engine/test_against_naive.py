"""The engine and the naive generator agree on random positions: every move, and where it leads.

Each position is asked for a low and a high die. ``ENGINE_POSITIONS`` in the environment asks for more
positions of each preset than the default.
"""

import os
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from rules_engine.registry import get_game
from tests.marks import nightly
from tests.rules_engine import naive
from tests.rules_engine.positions import kick_off_positions, restart_positions, turn_positions

POSITIONS = int(os.environ.get("ENGINE_POSITIONS", "600"))
SEED = 2
CHUNKS = 10
PLAYED = 6
"""The number of moves of a position that are played; those that end in a shift always are."""

presets = pytest.mark.parametrize("preset", ["board", "online"])
chunks = pytest.mark.parametrize("chunk", [*range(4), *nightly(range(4, CHUNKS))])


def read(position, phase, side, number):
    clock = "1.1" if phase == "kick-off" else "3.1"
    yellow, red = ",".join(position.yellow), ",".join(position.red)
    score = "0-0 -" if phase != "restart" else "0-1 red" if side == "yellow" else "1-0 yellow"
    return get_game(f"streetsoccer-{position.preset}").read(
        f"{phase} {clock} {side} {number} {yellow} {red} {position.ball or '-'} {score}"
    )


def assert_same_moves(state, expected, random):
    moves = state.legal_moves()
    assert len(moves) == len(set(moves)), str(state)
    assert set(moves) == set(expected), str(state)
    for text in random.sample(sorted(expected), min(PLAYED, len(expected))) + [
        text for text, after in expected.items() if is_shift(text, after)
    ]:
        fields = str(state.play(text)).split()
        after = expected[text]
        assert fields[4:7] == [",".join(after.yellow), ",".join(after.red), after.ball or "-"], f"{state} {text}"


def is_shift(text, after):
    walk, _, kick = text.partition(">")
    return "-" in walk and kick and walk.split("-")[1] not in after.yellow + after.red


@presets
@chunks
def test_turns(preset, chunk):
    random = Random(chunk)
    for position, side in islice(turn_positions(preset, SEED + chunk), POSITIONS // CHUNKS):
        for die in (random.randint(1, 3), random.randint(4, 6)):
            assert_same_moves(read(position, "play", side, die), naive.turns(position, side, die), random)


@presets
def test_kick_offs(preset):
    random = Random(SEED)
    for position, side in islice(kick_off_positions(preset, SEED), POSITIONS // 10):
        for number in range(1, 6):
            expected = naive.kick_offs(position, side, number)
            if expected:
                assert_same_moves(read(position, "kick-off", side, number), expected, random)


def test_restarts_with_the_goalie_already_placed():
    random = Random(SEED)
    for position, side in islice(restart_positions("board", SEED), POSITIONS // 10):
        for keeper in sorted(naive.KEEPER_SPACES[side]):
            placed = replace(position.moved(side, 0, keeper), ball=keeper)
            for die in range(2, 7):
                expected = naive.restarts(position, side, die, keeper)
                if expected:
                    assert_same_moves(read(placed, "restart", side, die), expected, random)


def test_restarts_with_a_choice_of_the_goalies_space():
    random = Random(SEED)
    for position, side in islice(restart_positions("online", SEED), POSITIONS // 10):
        for die in range(2, 7):
            expected = naive.restarts_with_choice(position, side, die)
            if expected:
                assert_same_moves(read(position, "restart", side, die), expected, random)


@presets
@pytest.mark.parametrize("seed", range(8))
def test_placements(preset, seed):
    random = Random(seed)
    state = get_game(f"streetsoccer-{preset}").start()
    while state.chance():
        state = state.play(random.choice("123456"))
    while state.turn in ("yellow", "red") and str(state).startswith("set-up"):
        _, _, side, _, *teams = str(state).split()
        yellow, red = (() if team == "-" else tuple(team.split(",")) for team in teams[:2])
        expected = naive.placements(naive.Position(preset, yellow, red), side)
        assert {f"@{space}" for space in expected} == set(state.legal_moves()), str(state)
        state = state.play(random.choice(sorted(state.legal_moves())))
