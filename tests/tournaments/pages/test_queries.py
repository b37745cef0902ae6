"""No page of a competition costs more queries for being larger, and none more than seventeen."""

import random

import pytest

from tests.matches.test_queries import queries_of
from tests.tournaments.competitions.running import (
    NOON,
    ROUND_ROBIN,
    enter_all,
    make_cup,
    make_players,
    play_out,
    running,
    start_cup,
)
from tests.tournaments.pages.conftest import challenge_ladder, count_all, play_some, points_ladder
from tournaments.services.ladders.challenges import challenge

pytestmark = [pytest.mark.once, pytest.mark.django_db]

MAX_QUERIES = 16
SIZES = (5, 24)


def cost(client, path):
    def read():
        assert client.get(path).status_code == 200

    return len(queries_of(read))


def build_points_ladder(size):
    _, players = points_ladder(size, results=size)
    return "/ladders/ladder/", players


def build_challenge_ladder(size):
    ladder, players = challenge_ladder(size)
    for number in range(1, size - 1, 2):
        challenge(ladder_id=ladder.pk, challenger=players[number], opponent=players[number - 1], now=NOON)
    play_some(ladder, size // 4)
    return "/ladders/ladder/", players


def build_open_cup(size):
    cup = make_cup(max_entrants=size + 1, min_rating=1000)
    players = make_players(size)
    enter_all(cup, players)
    return "/cups/cup/", players


def build_knock_out(size):
    cup, entries = start_cup(size, third_place=True)
    play_some(cup, size // 2)
    return "/cups/cup/", [entry.player for entry in entries]


def build_finished_knock_out(size):
    cup, entries = start_cup(size, legs=1)
    play_out(cup, random.Random(1))
    return "/cups/cup/", [entry.player for entry in entries]


def build_round_robin(size):
    cup, entries = start_cup(size, **ROUND_ROBIN)
    assert running(cup)
    play_some(cup, size)
    return "/cups/cup/", [entry.player for entry in entries]


def build_swiss(size):
    cup, entries = start_cup(size + 1, format="swiss")
    play_some(cup, size // 2)
    return "/cups/cup/", [entry.player for entry in entries]


BUILDERS = [
    build_points_ladder,
    build_challenge_ladder,
    build_open_cup,
    build_knock_out,
    build_finished_knock_out,
    build_round_robin,
    build_swiss,
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
def test_a_competition_page_costs_at_most_seventeen_queries(build, size, client_of, carla):
    path, players = build(size)
    count_all()
    costs = {
        name: cost(client_of(viewer), path)
        for name, viewer in {"first": players[0], "last": players[-1], "stranger": carla, "visitor": None}.items()
    }
    assert {name: number for name, number in costs.items() if number > MAX_QUERIES} == {}
    other = cost(client_of(players[-1]), f"{path}?page=1&of={players[0].username}")
    assert other <= MAX_QUERIES


@pytest.mark.parametrize("path", ["/ladders/", "/cups/", "/players/", "/cups/cup-1/log/"])
def test_a_list_costs_the_same_however_long_it_is(path, client_of, carla):
    client = client_of(carla)
    make_cup(slug="cup-1", name="cup-1")
    before = cost(client, path)
    for number in range(2, 6):
        make_cup(slug=f"cup-{number}", name=f"cup-{number}")
    assert cost(client, path) == before <= 8


def test_a_players_page_costs_the_same_however_much_they_play(client_of, carla):
    make_players(3, prefix="other")
    ladder, _players = points_ladder(6, results=6)
    small = cost(client_of(carla), "/players/player-1/")
    play_some(ladder, 6)
    assert cost(client_of(carla), "/players/player-1/") == small <= MAX_QUERIES


@pytest.mark.parametrize(
    "build", [build_points_ladder, build_challenge_ladder, build_knock_out, build_round_robin, build_swiss]
)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("part", "most"), [("", 9), ("standings/", 4), ("fixtures/", 2), ("places/", 2), ("log/", 2)])
def test_a_competition_costs_few_queries_over_the_api_however_large_it_is(build, size, part, most, visitor):
    build(size)
    count_all()
    path = f"/api/v1/competitions/{'ladder' if 'ladder' in build.__name__ else 'cup'}/{part}"
    assert cost(visitor, path) <= most
    has_no_places = build is build_knock_out and part == "places/"
    assert (visitor.get(path).json().get("results") == []) == has_no_places
