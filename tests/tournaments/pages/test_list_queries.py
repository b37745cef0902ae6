"""No list of competitions, and no player's page, costs more queries for being longer."""

import pytest

from tests.tournaments.pages.test_queries import MAX_QUERIES, cost
from tests.tournaments.verbs import make_cup, make_players, play_some, points_ladder

pytestmark = pytest.mark.django_db


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
