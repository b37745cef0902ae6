"""The engine and the naive rules agree along random points: legal steps, who is next, who gets the point."""

import os
from random import Random

import pytest

from rules_engine.paper_soccer.field import NAMES, PLACES, SEGMENTS
from rules_engine.paper_soccer.presets import COMMON
from rules_engine.values import Side
from tests.marks import nightly
from tests.rules_engine.paper_soccer import naive
from tests.rules_engine.paper_soccer.diagrams import NO_OWN_GOALS, begun

POINTS = int(os.environ.get("ENGINE_POSITIONS", "100"))
CHUNKS = 2
FAVOURITES = {"any": "", "to the walls": "26", "to the north goal": "017", "to the south goal": "345"}
"""Steps that are chosen twice as often, so that points end in every way."""


def assert_agree(state, point):
    assert state.winner == naive.winner(point)
    assert state.turn == (None if state.winner else point.side)
    assert state.legal_moves() == sorted(naive.steps(point))
    assert PLACES[NAMES.index(state.picture().ball)] == point.ball
    drawn = {
        frozenset({PLACES[start], PLACES[end]})
        for segment, (start, end) in enumerate(SEGMENTS)
        if state.drawn >> segment & 1
    }
    assert drawn == point.drawn


@pytest.mark.parametrize("liked", list(FAVOURITES.values()), ids=list(FAVOURITES))
@pytest.mark.parametrize("preset", [COMMON, NO_OWN_GOALS], ids=["own goals", "no own goals"])
@pytest.mark.parametrize("chunk", [0, *nightly(range(1, CHUNKS))])
def test_points_are_played_alike(chunk, preset, liked):
    endings = set()
    for number in range(POINTS // CHUNKS):
        random = Random(f"{chunk} {number}")
        first = random.choice(list(Side))
        state, point = begun(first=first, preset=preset), naive.Point(first.value, own_goals=preset.own_goals)
        assert_agree(state, point)
        while moves := state.legal_moves():
            step = random.choice([*moves, *(move for move in moves if move in liked)])
            state, point = state.play(step), naive.steps(point)[step]
            assert_agree(state, point)
        endings.add((state.winner, point.ball[1] in (-1, 11)))

    assert {winner for winner, _ in endings} == set(Side)
    assert {in_goal for _, in_goal in endings} == {True, False}
