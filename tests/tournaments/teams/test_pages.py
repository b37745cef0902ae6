"""The pages of teams: a captain founds one, invites, hands over and closes; members answer and leave."""

import re

import pytest
from django.test import Client

from players.models import Player
from tests.matches.test_queries import queries_of
from tests.pages.html import text_of
from tests.tournaments.teams.leagues import enter, make_league
from tests.tournaments.teams.leagues import make_teams as make_clubs
from tests.tournaments.verbs import NOON, make_players
from tournaments.models import Competition, Entry, ShirtColour, ShirtPattern, Team
from tournaments.teams.selectors.teams import members_of
from tournaments.teams.services.members import accept_team_invitation, invite_to_team
from tournaments.teams.services.teams import found_team
from tournaments.teams.template_tags import shirt_in_words
from tournaments.teams.views import PAGE

pytestmark = pytest.mark.django_db

SHIRT = {"pattern": "hoops", "first_colour": "red", "second_colour": "white"}


@pytest.fixture
def anna() -> Player:
    return Player.objects.create(username="anna")


@pytest.fixture
def piotr() -> Player:
    return Player.objects.create(username="piotr")


@pytest.fixture
def team(anna: Player) -> Team:
    return found_team(name="Foxes", captain=anna, now=NOON, **SHIRT)


def join(team: Team, player: Player) -> None:
    invite_to_team(team_id=team.pk, player=player, actor=team.captain, now=NOON)
    accept_team_invitation(team_id=team.pk, player=player, now=NOON)


def names_of(team: Team) -> list[str]:
    return [str(each) for each in members_of(team)]


def test_a_team_is_founded_invites_and_is_joined_from_the_page_of_matches(anna, piotr, client_of):
    client = client_of(anna)
    url = client.post("/found-team/", {"name": "Red Foxes", **SHIRT})["Location"]
    assert url == "/teams/red-foxes/"
    assert "Invite a player" in text_of(client.get(url))
    assert client.post(f"{url}invite/", {"player": "PIOTR"})["Location"] == url
    home = client_of(piotr).get("/")
    assert "Teams invite you" in text_of(home)
    assert f'action="{url}invitation/"' in home.content.decode()
    assert client_of(piotr).post(f"{url}invitation/", {"answer": "accept"})["Location"] == url
    page = text_of(client_of(piotr).get(url))
    assert "Leave the team" in page
    assert "Teams invite you" not in text_of(client_of(piotr).get("/"))
    assert "Red Foxes" in text_of(Client().get("/players/piotr/"))


def test_an_invitation_is_declined_on_the_page_of_the_team(anna, piotr, team, client_of):
    invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    client = client_of(piotr)
    assert "You are invited" in text_of(client.get("/teams/foxes/"))
    client.post("/teams/foxes/invitation/", {"answer": "decline"})
    assert "You are invited" not in text_of(client.get("/teams/foxes/"))
    assert names_of(team) == ["anna"]


def test_the_captain_hands_over_removes_and_withdraws_with_buttons_that_nobody_else_has(anna, piotr, team, client_of):
    carla, dora = make_players(2)
    for player in (piotr, carla):
        join(team, player)
    invite_to_team(team_id=team.pk, player=dora, actor=anna, now=NOON)
    base = "/teams/foxes/members"
    acts = (f"{base}/{carla}/remove/", f"{base}/{dora}/withdraw/", f"{base}/piotr/hand-over/")
    shown, other = (client_of(player).get("/teams/foxes/").content.decode() for player in (anna, piotr))
    assert [act in shown for act in acts] == [True] * 3
    assert [act in other for act in acts] == [False] * 3
    assert [client_of(anna).post(act).status_code for act in acts] == [302] * 3
    team.refresh_from_db()
    assert (team.captain, names_of(team)) == (piotr, ["anna", "piotr"])
    assert client_of(anna).post(f"{base}/piotr/remove/").status_code == 403
    assert client_of(piotr).post(f"{base}/anna/dance/").status_code == 404


def test_the_captain_changes_name_and_shirt_and_closes_the_team(anna, team, client_of):
    client = client_of(anna)
    changed = {"name": "Blue Foxes", "pattern": "sash", "first_colour": "blue", "second_colour": "sky"}
    assert client.post("/teams/foxes/edit/", changed)["Location"] == "/teams/foxes/"
    page = client.get("/teams/foxes/").content.decode()
    assert "Shirt: blue and sky blue, sash" in page
    assert "Blue Foxes" in page
    assert "for good" in text_of(client.get("/teams/foxes/close/"))
    assert client.post("/teams/foxes/close/")["Location"] == "/teams/foxes/"
    closed = text_of(client.get("/teams/foxes/"))
    assert "Closed on" in closed
    assert "Invite a player" not in closed
    assert "Blue Foxes" not in text_of(client.get("/teams/"))
    assert client.get("/teams/foxes/edit/").status_code == 403


def test_faults_stand_beside_their_fields(anna, piotr, team, client_of):
    client = client_of(anna)
    same = client.post(
        "/found-team/", {"name": "Other", "pattern": "sash", "first_colour": "red", "second_colour": "red"}
    )
    assert (same.status_code, "two different colours" in text_of(same)) == (400, True)
    assert "Another team is called foxes." in text_of(client.post("/found-team/", {"name": "foxes", **SHIRT}))
    unknown = client.post("/teams/foxes/invite/", {"player": "nobody"})
    assert (unknown.status_code, "There is no player with this username." in text_of(unknown)) == (400, True)
    join(team, piotr)
    assert "is already a member of Foxes" in text_of(client.post("/teams/foxes/invite/", {"player": "piotr"}))
    guest = Player.objects.create(username="guest-abc", is_guest=True)
    assert "Sign up first." in text_of(client_of(guest).post("/found-team/", {"name": "Guests", **SHIRT}))


@pytest.mark.parametrize("pattern", ShirtPattern.values)
def test_every_shirt_is_drawn_and_told_in_words(anna, pattern):
    team = found_team(name="Foxes", captain=anna, now=NOON, **{**SHIRT, "pattern": pattern})
    (shirt,) = re.findall(
        r"<svg class=\"shirt team-shirt.*?</svg>", Client().get("/teams/foxes/").content.decode(), re.DOTALL
    )
    assert f'aria-label="{shirt_in_words(team)}"' in shirt
    assert "first-red second-white" in shirt
    assert ('class="edge"' in shirt) is (pattern == "plain")
    assert ('class="second"' in shirt) is (pattern != "plain")


def test_every_colour_has_a_rule_in_the_style_sheet(settings):
    css = (settings.BASE_DIR / "static/css/competitions.css").read_text()
    assert [name for name in ShirtColour.values if f".first-{name} " not in css or f".second-{name} " not in css] == []


def test_the_list_has_pages(anna):
    Team.objects.bulk_create(
        Team(name=name, folded_name=name, slug=name, captain=anna, created_at=NOON)
        for name in (f"team-{number:04}" for number in range(PAGE + 2))
    )
    client = Client()
    first = client.get("/teams/")
    assert 'href="?after=team-0049"' in first.content.decode()
    second = client.get("/teams/?after=team-0049").content.decode()
    assert re.findall(r"/teams/(team-\d+)/", second) == ["team-0050", "team-0051"]
    assert 'rel="next"' not in second
    assert 'href="?after=team-0049"' in client.get("/teams/?after=nothing").content.decode()


def enter_league(team: Team, name: str) -> Entry:
    """Return the entry of a team in a league of this name."""
    entry = enter(make_league(), team)
    Competition.objects.filter(pk=entry.competition_id).update(slug=name.lower().replace(" ", "-"), name=name)
    return entry


def test_the_page_of_a_team_lists_its_competitions_and_which_it_has_won_at_the_same_cost():
    teams = make_clubs(2, 4)
    own = enter_league(teams[0], "First League")
    url = teams[0].get_absolute_url()
    shown = text_of(Client().get(url))
    assert "First League" in shown
    assert "winner" not in shown
    few = len(queries_of(lambda: Client().get(url)))
    for number in range(3):
        enter_league(teams[0], f"More {number}")
    Competition.objects.filter(pk=own.competition_id).update(winner=own)
    Competition.objects.filter(slug="more-0").update(hidden_at=NOON)
    shown = text_of(Client().get(url))
    assert "First League winner" in shown
    assert [name in shown for name in ("More 0", "More 1", "More 2")] == [False, True, True]
    assert len(queries_of(lambda: Client().get(url))) == few
