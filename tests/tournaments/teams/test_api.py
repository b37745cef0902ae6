"""Teams over the API alone: founded, joined, handed over, left and closed, and what each caller sees."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from players.models import Player
from tests.tournaments.verbs import NOON
from tournaments.teams.services.teams import found_team

pytestmark = pytest.mark.django_db

URL = "/api/v1/teams/"
FOXES = f"{URL}foxes/"


def client_of(username: str) -> APIClient:
    client = APIClient()
    client.force_login(Player.objects.get_or_create(username=username)[0])
    return client


def ask(username: str, method: str, url: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    response = getattr(client_of(username), method)(url, body, format="json")
    return response.status_code, response.json() if response.content else None


def names_in(team: Any) -> list[str]:
    return [each["player"] for each in team["members"]]


def test_a_team_is_founded_joined_handed_over_and_closed_over_the_api_alone() -> None:
    for name in ("piotr", "carla"):
        Player.objects.create(username=name)
    status, team = ask("anna", "post", URL, {"name": "Foxes", "pattern": "hoops", "second_colour": "sky"})
    assert (status, team["slug"], team["captain"], names_in(team)) == (201, "foxes", "anna", ["anna"])
    assert team["shirt"] == {"pattern": "hoops", "first_colour": "red", "second_colour": "sky"}
    for name in ("piotr", "carla"):
        assert ask("anna", "post", f"{FOXES}invitations/", {"player": name})[0] == 201
    received = ask("piotr", "get", "/api/v1/team-invitations/")[1]
    assert [(each["team"]["slug"], each["invited_by"]) for each in received] == [("foxes", "anna")]
    status, joined = ask("piotr", "post", f"{FOXES}invitation/accept/")
    assert (status, names_in(joined), joined["invited"]) == (200, ["anna", "piotr"], None)
    assert ask("carla", "post", f"{FOXES}invitation/decline/") == (204, None)
    refused = ask("anna", "post", f"{FOXES}invitations/", {"player": "carla"})
    assert (refused[0], refused[1]["code"]) == (409, "invitation_declined")
    handed_over = ask("anna", "put", f"{FOXES}captain/", {"player": "piotr"})[1]
    assert (handed_over["captain"], handed_over["invited"]) == ("piotr", None)
    assert ask("anna", "post", f"{FOXES}leave/") == (204, None)
    assert names_in(ask("piotr", "get", FOXES)[1]) == ["piotr"]
    closed = ask("piotr", "post", f"{FOXES}close/")[1]
    assert (closed["captain"], closed["members"], closed["closed_at"] is not None) == (None, [], True)
    assert ask("anna", "get", URL)[1]["results"] == []


def test_teams_of_a_player_and_invitations_to_teams_are_counted_by_the_day(settings: Any) -> None:
    settings.BUDGETS = {"teams": "2/day", "team-invitations": "2/day", "invitations-of-team": "2/day"}
    players = [Player.objects.create(username=name).username for name in ("piotr", "carla", "dora")]
    statuses = []
    for name in ("Foxes", "Wolves", "Owls"):
        statuses.append(ask("anna", "post", URL, {"name": name})[0])
        ask("anna", "post", f"{URL}{name.lower()}/close/")
    assert statuses == [201, 201, 429]
    bears, cats = (ask("bea", "post", URL, {"name": name})[1]["slug"] for name in ("Bears", "Cats"))
    invited = [(bears, "piotr"), (cats, "carla"), (cats, "dora")]
    assert [ask("bea", "post", f"{URL}{team}/invitations/", {"player": name})[0] for team, name in invited] == [
        201,
        201,
        429,
    ]
    ask("piotr", "post", f"{URL}{bears}/invitation/accept/")
    ask("bea", "put", f"{URL}{bears}/captain/", {"player": "piotr"})
    refused = [ask("piotr", "post", f"{URL}{bears}/invitations/", {"player": name}) for name in players[1:]]
    assert [status for status, _answer in refused] == [201, 429]
    assert refused[1][1]["detail"] == "A team can invite at most 2 players a day. Wait 24 hours, then try again."


def test_the_captain_alone_sees_who_is_invited_and_withdraws_and_removes() -> None:
    ask("anna", "post", URL, {"name": "Foxes"})
    Player.objects.create(username="piotr")
    ask("anna", "post", f"{FOXES}invitations/", {"player": "piotr"})
    assert [each["player"] for each in ask("anna", "get", FOXES)[1]["invited"]] == ["piotr"]
    assert ask("carla", "get", FOXES)[1]["invited"] is None
    assert APIClient().get(FOXES).json()["invited"] is None
    assert ask("carla", "delete", f"{FOXES}invitations/piotr/")[0] == 403
    assert ask("anna", "delete", f"{FOXES}invitations/piotr/") == (204, None)
    refused = ask("anna", "post", f"{FOXES}invitations/", {"player": "piotr"})
    assert (refused[0], refused[1]["code"]) == (409, "too_many_team_invitations")
    ask("anna", "post", f"{FOXES}invitations/", {"player": "carla"})
    ask("carla", "post", f"{FOXES}invitation/accept/")
    assert ask("anna", "delete", f"{FOXES}members/carla/") == (204, None)
    assert names_in(ask("anna", "get", FOXES)[1]) == ["anna"]


def test_parts_of_the_name_and_the_shirt_that_are_not_given_stay() -> None:
    ask("anna", "post", URL, {"name": "Foxes", "pattern": "sash", "first_colour": "blue"})
    status, team = ask("anna", "patch", FOXES, {"name": "Grey Foxes"})
    assert (status, team["slug"], team["name"], team["shirt"]["pattern"]) == (200, "foxes", "Grey Foxes", "sash")
    status, refused = ask("anna", "patch", FOXES, {"second_colour": "blue"})
    assert (status, list(refused["errors"])) == (400, ["second_colour"])


def test_the_list_goes_by_name() -> None:
    captain = Player.objects.create(username="anna")
    shirt = {"pattern": "plain", "first_colour": "red", "second_colour": "white"}
    for name in ("Owls", "Zébras", "Foxes"):
        found_team(name=name, captain=captain, now=NOON, **shirt)
    first = APIClient().get(URL, {"limit": 2}).json()
    assert [(each["name"], each["members"]) for each in first["results"]] == [("Foxes", 1), ("Owls", 1)]
    assert [each["name"] for each in APIClient().get(first["next"]).json()["results"]] == ["Zébras"]
