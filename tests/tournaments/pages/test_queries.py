"""No page of a competition costs more queries for being larger, and none more than seventeen.

All tests here ask for ``built``: in one that does not the rows of another would be found.
"""

import random

import pytest
from django.db import transaction

from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.models import Competition
from tournaments.running.services.challenges import challenge

pytestmark = pytest.mark.django_db

MAX_QUERIES = 16
SIZE = 24


def cost(client, path):
    def read():
        answer = client.get(path)
        assert (answer.status_code, len(answer.getvalue()) > 0) == (200, True)

    return len(queries_of(read))


def build_points_ladder(size):
    _, players = verbs.points_ladder(size, results=size)
    return "/ladders/ladder/", players


def build_challenge_ladder(size):
    ladder, players = verbs.challenge_ladder(size)
    for number in range(1, size - 1, 2):
        challenge(ladder_id=ladder.pk, challenger=players[number], opponent=players[number - 1], now=NOON)
    verbs.play_some(ladder, size // 4)
    return "/ladders/ladder/", players


def build_open_cup(size):
    cup = verbs.make_cup(max_entrants=size + 1, min_rating=1000)
    players = verbs.make_players(size)
    verbs.enter_all(cup, players)
    return "/cups/cup/", players


def build_knock_out(size):
    cup, entries = verbs.start_cup(size, third_place=True)
    verbs.play_some(cup, size // 2)
    return "/cups/cup/", [entry.player for entry in entries]


def build_finished_knock_out(size):
    cup, entries = verbs.start_cup(size, legs=1)
    verbs.play_out(cup, random.Random(1))
    return "/cups/cup/", [entry.player for entry in entries]


def build_round_robin(size):
    cup, entries = verbs.start_cup(size, **ROUND_ROBIN)
    assert verbs.running(cup)
    verbs.play_some(cup, size)
    return "/cups/cup/", [entry.player for entry in entries]


def build_swiss(size):
    cup, entries = verbs.start_cup(size + 1, format="swiss", byes_on_request=True)
    verbs.play_some(cup, size // 2)
    return "/cups/cup/", [entry.player for entry in entries]


IN_THE_API = [build_points_ladder, build_challenge_ladder, build_knock_out, build_round_robin, build_swiss]
BUILT = [*IN_THE_API, build_open_cup, build_finished_knock_out]


def name(build):
    return build.__name__


@pytest.fixture(scope="module")
def built(request, django_db_setup, django_db_blocker):
    """Yield a competition's path and its players, built once for the tests of it, which follow each other."""
    with django_db_blocker.unblock(), transaction.atomic():
        path, players = request.param(SIZE)
        verbs.count_all()
        yield path, players
        transaction.set_rollback(True)


@pytest.mark.parametrize("built", BUILT, indirect=True, ids=name)
def test_a_competition_page_costs_at_most_seventeen_queries(built, client_of, carla):
    path, players = built
    costs = {
        name: cost(client_of(viewer), path)
        for name, viewer in {"first": players[0], "last": players[-1], "stranger": carla, "visitor": None}.items()
    }
    assert {name: number for name, number in costs.items() if number > MAX_QUERIES} == {}
    other = cost(client_of(players[-1]), f"{path}?page=1&of={players[0].username}")
    assert other <= MAX_QUERIES


@pytest.mark.parametrize(("part", "most"), [("", 9), ("standings/", 4), ("fixtures/", 3), ("places/", 3), ("log/", 2)])
@pytest.mark.parametrize("built", IN_THE_API, indirect=True, ids=name)
def test_a_competition_costs_few_queries_over_the_api_however_large_it_is(built, part, most, visitor):
    page, _players = built
    competition = Competition.objects.get()
    assert competition.get_absolute_url() == page
    path = f"/api/v1/competitions/{competition.slug}/{part}"
    assert cost(visitor, path) <= most
    has_no_places = competition.first_stage.format == "knock-out" and part == "places/"
    assert (visitor.get(path).json().get("results") == []) == has_no_places


@pytest.mark.parametrize(
    ("part", "most"),
    [
        ("feed/", 4),
        ("embed/", 6),
        ("calendar.ics", 4),
        *[(f"export/{what}.csv", 5) for what in ("entries", "results", "standings")],
    ],
)
@pytest.mark.parametrize("built", BUILT[2:5], indirect=True, ids=name)
def test_what_others_take_of_a_cup_costs_few_queries_however_large_it_is(built, part, most, visitor):
    assert cost(visitor, f"{built[0]}{part}") <= most
