"""The route of a move: one way to play it, with as few touches as possible."""

from itertools import islice, pairwise
from typing import Any

import pytest

from tests.rules_engine import naive
from tests.rules_engine.diagrams import position
from tests.rules_engine.positions import turn_positions
from tests.rules_engine.test_against_naive import read

POSITIONS = 8

MATE_BESIDE_THE_BALL = """
    10  . . . . R . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . . y o y . . .
     4  . r . . . . . .
     3  . . . . . . . r
     2  . . . . . y . .
     1  . . . . Y . . y
"""


def direction(start, end):
    """Return the point of the compass from a space to its neighbour."""
    across = naive.FILES.index(end[0]) - naive.FILES.index(start[0])
    up = int(end[1:]) - int(start[1:])
    (found,) = [point for point in naive.COMPASS if (naive.ACROSS[point], naive.UP[point]) == (across, up)]
    return found


def flights_of(route, mates):
    """Return the directions of a kick, one list for each player who plays it."""
    flights: list[list[Any]] = [[]]
    for start, end in pairwise(route.kick):
        flights[-1].append(direction(start, end))
        if end in mates:
            flights.append([])
    return flights


def bends(flight):
    """Return by how many eighths of a turn a flight changes its direction, change by change."""
    points = [naive.COMPASS.index(point) for point in flight]
    return [min((b - a) % 8, (a - b) % 8) for a, b in pairwise(points) if a != b]


def fewest_touches(position, side, ball, lengths, target):
    """Return by how many touches a target can be reached, trying none, one, two and so on."""
    mates, opponents = set(position.players(side)), set(position.players(naive.OPPONENT[side]))
    todo, touches = {(ball, length) for length in lengths}, 0
    while True:
        further = set()
        for toucher, length in todo:
            for flight in naive._flights(length):
                space = toucher
                for steps, point in enumerate(flight, 1):
                    crossed = (
                        space in naive.KEEPER_SPACES[naive.OPPONENT[side]] and point in naive.ACROSS_THE_END_LINE[side]
                    )
                    space = naive.NEIGHBOUR[space, point]
                    if (target == "goal" and crossed) or (space == target and steps == length):
                        return touches
                    if space not in naive.PITCH or space in opponents:
                        break
                    if space in mates:
                        further.add((space, length - steps + 1))
                        break
        todo, touches = further, touches + 1


@pytest.mark.parametrize("preset", ["board", "online"])
@pytest.mark.parametrize("die", range(1, 7))
def test_a_route_is_a_way_by_the_rules_to_the_result(preset, die):
    for before, side in islice(turn_positions(preset, die), POSITIONS):
        state = read(before, "play", side, die)
        for move, after in naive.turns(before, side, die).items():
            if move == "pass":
                continue
            route = state.route(move)
            start, end = move.split(">")[0].split("-")
            walked = len(route.walk) - 1
            assert (route.walk[0], route.walk[-1]) == (start, end), f"{state} {move}"
            assert all(later in naive.BESIDE[earlier] for earlier, later in pairwise(route.walk))
            assert not set(route.walk[1:-1]) & (before.taken() | naive.GOALS | {before.ball})
            if ">" not in move:
                assert walked == die
                assert (route.kick, route.touches, route.shift) == ((), (), None)
                continue
            assert_kick(before, side, die - walked + 1, route, move)
            shirt = before.players(side).index(start)
            landed = after.players(side)[shirt]
            assert route.shift == (None if landed == end else landed)


def assert_kick(before, side, length, route, move):
    """Assert that a kick obeys S10 to S14 and touches as few players as it can."""
    target = move.split(">")[1]
    mates = {*before.players(side), before.ball} - {route.walk[0]}
    flights = flights_of(route, mates)
    assert route.kick[0] == before.ball
    assert all(bends(flight) in ([], [1]) for flight in flights), f"{move} {route}"
    assert route.touches == tuple(space for space in route.kick[1:] if space in mates)
    assert not set(route.kick) & set(before.players(naive.OPPONENT[side]))
    steps = len(route.kick) - 1 - len(route.touches)
    if target == "goal":
        assert route.kick[-2] in naive.KEEPER_SPACES[naive.OPPONENT[side]]
        assert route.kick[-1][1:] in ("0", "11")
        assert steps <= length
    else:
        assert route.kick[-1] == target
        assert steps == length
    assert set(route.kick[:-1]) <= naive.PITCH
    shirt = before.players(side).index(route.walk[0])
    at_the_ball = before.moved(side, shirt, before.ball)
    _, walks = naive._walks(before, route.walk[0], 6)
    die = length + len(route.walk) - 2
    lengths = {die - walked + 1 for walked in walks if walked <= die}
    assert len(route.touches) == fewest_touches(at_the_ball, side, before.ball, lengths, target), f"{move} {route}"


def test_a_route_takes_no_touch_that_it_can_do_without():
    route = position(MATE_BESIDE_THE_BALL, dice=3).route("c5-d5>d8")

    assert route.touches == ()
    assert route.kick == ("d5", "d6", "d7", "d8")
