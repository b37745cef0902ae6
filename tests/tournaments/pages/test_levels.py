"""The pages and the API of a cup that is played in levels."""

from datetime import timedelta

import pytest

from players.models import Player
from tests.tournaments.verbs import NOON, end, enter_all, make_cup, make_players, running
from tournaments.making.recipes import RECIPES, make_stages
from tournaments.models import Fixture
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.start import start_due_competitions
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

CUP = "/cups/cup/"
API = "/api/v1/competitions/cup/"


@pytest.fixture(scope="module")
def players(module_transaction):
    """Return the players of a running mini cup of seven, of whom the first has gone up and the last waits."""
    stage = make_stages(RECIPES["mini-cup"])[0]
    cup = make_cup(
        format=stage.format, grouping=stage.grouping, advance=stage.advance, late_entry=True, cycles=2, tiebreaks=[]
    )
    players = make_players(7)
    enter_all(cup, players)
    start_due_competitions(now=NOON)
    for fixture in running(cup):
        if fixture.group.number == 1:
            end(fixture, min(fixture.yellow, fixture.red, key=lambda entry: entry.pk), NOON + timedelta(minutes=1))
    pair_due_rounds(now=NOON)
    recompute_stale(now=NOON)
    return players


def page(client, path, player=None):
    if player is not None:
        client.force_login(player)
    return client.get(path).content.decode()


def test_the_page_shows_the_levels_who_waits_and_who_has_gone_up(client, players):
    shown = page(client, f"{CUP}?stage=2")
    for text in ("Level 1", "Level 2", "Waiting at Level 2"):
        assert text in shown
    assert "The next group needs 2 more players." in shown
    first = page(client, f"{CUP}?stage=1")
    assert first.index("Group B") < first.index("Group A")
    assert "Waiting at Level 1" in first
    assert "6 of 6 played" in first
    assert "0 of 6 played" in first


@pytest.mark.parametrize(
    ("number", "buttons"),
    [
        (0, {"You are waiting for a group: Level 2.", "Join another group"}),
        (3, {"You play in Level 1, Group B", "Join another group"}),
        (6, {"You are waiting for a group: Level 1.", "You can join again while entry is open."}),
    ],
)
def test_players_read_where_they_play_and_wait_and_can_join_once_more(client, players, number, buttons):
    shown = " ".join(page(client, CUP, players[number]).split())
    assert {each for each in buttons if each in shown} == buttons
    assert ("Join another group" in shown) == ("Join another group" in buttons)


def test_joining_once_more_is_a_place_at_the_first_level(client, players):
    client.force_login(players[0])
    client.post(f"{CUP}enter/")
    assert "You are waiting for a group: Level 1, Level 2." in " ".join(page(client, CUP).split())
    client.force_login(players[1])
    client.post(f"{CUP}enter/")
    assert Fixture.objects.filter(group__number=3, match__isnull=False).count() == 6


def test_the_api_tells_the_levels_and_who_waits(client, players):
    competition = client.get(API).json()
    assert [(stage["name"], stage["waiting"], len(stage["groups"])) for stage in competition["stages"]] == [
        ("Level 1", ["player-7"], 2),
        ("Level 2", ["player-1"], 0),
    ]
    assert competition["stages"][0]["grouping"]["whenever"] == 3
    assert competition["stages"][0]["advance"]["levels"] == 99
    assert competition["waits_for"][0]["detail"] == "Level 1: the next group needs 2 more players."


def test_there_is_nothing_to_draw(client, players):
    client.force_login(players[0])
    assert client.post(f"{API}draw/", {}, content_type="application/json").status_code in {403, 409}


def test_a_player_makes_a_mini_cup_by_the_form_of_its_recipe(client, players):
    organiser = Player.objects.create(username="olga", is_staff=True, is_superuser=True)
    shown = page(client, "/make/mini-cup/", organiser)
    for name in ("grouping-whenever", "advance-above_percent", "advance-levels", "late_entry"):
        assert f'name="{name}"' in shown
    for name in ("grouping-size", "advance-best", "seeding"):
        assert f'name="{name}"' not in shown
