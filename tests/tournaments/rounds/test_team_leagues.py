"""Leagues of teams that players make: the recipe and its options, what organisers do for teams, and a whole league."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from formats.team_meetings import TEAM_ORDER
from players.models import Player
from rules_engine.values import Side
from tests.tournaments.conftest import ClientOf
from tests.tournaments.teams.leagues import enter, make_league, make_teams, members, start_league
from tests.tournaments.verbs import end, make_cup, running
from tournaments.desk.acts import COMPETITION, ENTRY, acts_on
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, LineUp
from tournaments.models.rights import RIGHTS, Role
from tournaments.rounds.services.draws import keep_draw, preview_draw

pytestmark = pytest.mark.django_db

MAKE, DESK = "/make/team-league/", "/cups/league/organise/"
API = "/api/v1/competitions/"
NEW = {"recipe": "team-league", "name": "League", "game": "paper-soccer"}


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def options_of(client: Client, path: str) -> dict[str, Any]:
    """Return what the form shows, to be sent as it is."""
    shown = {field.html_name: field.value() for field in client.get(path).context["form"]}
    return {
        name: "on" if value is True else value
        for name, value in shown.items()
        if value not in (None, "", []) and value is not False
    }


def keep(client: Client, path: str, options: dict[str, Any]) -> Any:
    """Send options, and again with what their preview shows."""
    seen = client.post(path, options)
    assert seen.context["preview"] is not None, seen.context["form"].errors
    return client.post(path, {**options, "keep": "1", "seen": seen.context["seen"]})


def send(client: Client, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    response = getattr(client, method)(f"{API}{path}", body, content_type="application/json")
    return response.status_code, response.json()


def test_a_league_of_teams_is_made_and_played_to_its_end_on_the_site(mia: Player, client_of: ClientOf) -> None:
    """One captain enters by themselves, for another the organiser does; line-ups change; the first team wins."""
    maker = client_of(mia)
    assert f'href="{MAKE}"' in text_of(maker.get("/make/"))
    options = options_of(maker, MAKE) | {"name": "League", "game": "paper-soccer", "boards": 2}
    assert keep(maker, MAKE, options).url == DESK
    league = Cup.objects.get()
    assert (league.boards, league.first_stage.round_days) == (2, 7)
    maker.post(f"{DESK}open/", {"reason": ""})
    assert "The cup needs 2 more teams." in text_of(maker.get("/cups/league/"))
    one, other = make_teams(2, 3)
    captain = client_of(one.captain)
    assert "Enter your team" in text_of(captain.get("/cups/league/"))
    first, second, third = members(one)
    captain.post("/cups/league/team/", {"board_1": first.pk, "board_2": second.pk})
    assert "Your team has joined" in text_of(captain.get("/cups/league/"))
    Player.objects.filter(pk=other.captain_id).update(may_be_entered=True)
    maker.post(f"{DESK}admit-team/", {"team_id": "Team 2", "players": "team-2-1 team-2-2,", "reason": ""})
    captain.post("/cups/league/line-up/?round=1", {"board_1": third.pk, "board_2": first.pk})
    own = Entry.objects.get(team=other)
    maker.post(f"{DESK}entries/{own.pk}/line-up/", {"round_number": 1, "players": "team-2-3", "reason": "Ill."})
    maker.post(f"{DESK}start/", {"reason": ""})
    page = text_of(maker.get("/cups/league/"))
    assert [name in page for name in ("team-1-3", "team-1-1", "team-2-3")] == [True] * 3
    assert "team-1-2" not in page
    league.refresh_from_db()
    assert league.status == CompetitionStatus.RUNNING
    for fixture in running(league):
        end(fixture, Side.YELLOW if fixture.yellow.team == one else Side.RED, timezone.now())
    league.refresh_from_db()
    assert league.status == CompetitionStatus.FINISHED
    assert str(league.winner) == "Team 1"


def test_the_form_of_a_league_of_teams_asks_for_boards_and_for_no_ratings(mia: Player, client_of: ClientOf) -> None:
    client = client_of(mia)
    form = client.get(MAKE).context["form"]
    assert (form["boards"].value(), form["max_entrants"].label) == (4, "Maximum number of teams")
    assert {"min_rating", "max_rating", "admits_computers"}.isdisjoint(form.fields)
    assert "boards" not in client.get("/make/round-robin/").context["form"].fields
    options = options_of(client, MAKE) | {"name": "League", "game": "paper-soccer", "boards": 3}
    shown = client.post(MAKE, options)
    assert shown.context["preview"].sizes[0].stages == ["At most 84 matches in 7 rounds."]
    assert "With 8 teams" in text_of(shown)
    assert "Each team plays on 3 boards" in text_of(shown)
    for number in (1, 7, ""):
        refused = client.post(MAKE, options | {"boards": number})
        assert (refused.status_code, list(refused.context["form"].errors)) == (400, ["boards"])
    refused = client.post(MAKE, options | {"round_days": ""})
    assert list(refused.context["form"].errors) == ["round_days"]


def test_boards_are_changed_until_the_draw_and_no_team_comes_in_place_of_a_player(
    mia: Player, client_of: ClientOf
) -> None:
    client = client_of(mia)
    made = send(client, "post", "", NEW | {"boards": 3})[1]
    assert made["boards"] == 3
    edit = f"{DESK}edit/"
    keep(client, edit, options_of(client, edit) | {"boards": 2})
    league = Cup.objects.get()
    assert league.boards == 2
    refused = send(client, "patch", "league/", {"boards": None})
    assert (refused[0], list(refused[1]["errors"])) == (400, ["tiebreaks"])
    stages = [{"number": 1, "tiebreaks": ["points", "draw"]}]
    refused = send(client, "patch", "league/", {"boards": None, "stages": stages})
    assert (refused[0], list(refused[1]["errors"])) == (400, ["boards"])
    for team in make_teams(2, 2):
        Competition.objects.update(status=CompetitionStatus.OPEN)
        enter(league, team)
    keep_draw(competition=league, draw=preview_draw(competition=league), actor=mia, now=timezone.now())
    assert "boards" not in client.get(edit).context["form"].fields
    refused = send(client, "patch", "league/", {"boards": 3})
    assert "boards of a team" in refused[1]["detail"]


@pytest.mark.parametrize(
    ("recipe", "more", "field"),
    [
        ("knock-out", {}, "replays"),
        ("double-elimination", {}, "format"),
        ("points-ladder", {}, "format"),
        ("round-robin", {}, "round_days"),
        ("team-league", {"min_rating": 1500}, "min_rating"),
        ("team-league", {"boards": 7}, "boards"),
    ],
)
def test_boards_are_refused_where_teams_cannot_play(
    mia: Player, client_of: ClientOf, recipe: str, more: dict[str, Any], field: str
) -> None:
    status, refused = send(client_of(mia), "post", "", NEW | {"recipe": recipe, "boards": 4} | more)
    assert status == 400
    assert field in refused["errors"]
    assert not Competition.objects.exists()


def test_the_desk_offers_teams_in_place_of_players(olga: Player) -> None:
    rights = RIGHTS[Role.ORGANISER]
    league, cup = make_league(boards=2), make_cup()
    offered = [{act.name for act in acts_on(COMPETITION, each, each, rights)} for each in (league, cup)]
    assert [("admit" in each, "admit-team" in each) for each in offered] == [(False, True), (True, False)]
    entry = enter(league, make_teams(1, 2)[0])
    assert [act.name for act in acts_on(ENTRY, league, entry, rights)] == ["withdraw", "line-up"]


def test_an_organiser_adds_a_team_by_its_name(olga: Player, client_of: ClientOf) -> None:
    client, team = client_of(olga), make_teams(1, 3)[0]
    make_league(boards=2).organisers.add(olga)
    page = text_of(client.get(f"{DESK}entries/"))
    assert (f'href="{DESK}admit-team/"' in page, f'href="{DESK}admit/"' in page) == (True, False)
    path = f"{DESK}admit-team/"
    unknown = client.post(path, {"team_id": "Nobody", "players": "team-1-1"})
    assert "There is no team with this name." in text_of(unknown)
    unknown = client.post(path, {"team_id": "TEAM 1", "players": "team-1-1 ghost"})
    assert "There is no player with the username ghost." in text_of(unknown)
    assert not Entry.objects.exists()
    assert client.post(path, {"team_id": "TEAM 1", "players": "team-1-2\r\nTeam-1-1"}).status_code == 302
    entry = Entry.objects.get()
    assert entry.team == team
    first, second, _third = members(team)
    assert entry.line_ups.get().players == [second.pk, first.pk]
    for asked, is_found in (("team 1", True), ("team-1-1", False)):
        found = client.get(f"{DESK}entries/", {"player": asked}).context["page"].object_list
        assert ([*found] == [entry]) is is_found


def test_an_organiser_sets_a_line_up_until_the_round_begins(olga: Player, client_of: ClientOf) -> None:
    client = client_of(olga)
    league, entries = start_league(make_teams(2, 3), boards=2, now=timezone.now(), cycles=2)
    league.organisers.add(olga)
    path = f"{DESK}entries/{entries[0].pk}/line-up/"
    form = client.get(path).context["form"]
    assert (form["round_number"].value(), form["players"].value()) == (2, "team-1-1\nteam-1-2")
    assert client.post(path, {"round_number": 2, "players": "team-1-3", "reason": "Ill."}).status_code == 302
    assert "The round has begun." in text_of(client.post(path, {"round_number": 1, "players": "team-1-3"}))
    assert [each.round_number for each in LineUp.objects.filter(entry=entries[0]).order_by("round_number")] == [0, 2]


def test_an_organiser_does_both_over_the_api(olga: Player, client_of: ClientOf) -> None:
    client = client_of(olga)
    make_teams(1, 3)
    make_league(boards=2).organisers.add(olga)
    body = {"team": "team-1", "players": ["team-1-1", "Team-1-2"]}
    status, entry = send(client, "post", "league/team-admissions/", body)
    assert (status, entry["team"]["slug"], entry["player"]) == (200, "team-1", "team-1-1")
    path = f"league/entries/{entry['id']}/line-up/"
    status, line_up = send(client, "put", path, {"round": 1, "players": ["team-1-3"]})
    assert (status, line_up["round"], line_up["players"]) == (200, 1, ["team-1-3"])
    many = send(client, "put", path, {"round": 1, "players": ["nobody"] * 1000})
    assert (many[0], len(many[1]["errors"])) == (400, 1)
    unknown = send(client, "post", "league/team-admissions/", body | {"team": "nobody"})
    assert (unknown[0], unknown[1]["code"]) == (404, "not_found")


def test_a_league_whose_order_is_emptied_has_that_of_teams_again(olga: Player, client_of: ClientOf) -> None:
    league = make_league(boards=2)
    league.organisers.add(olga)
    body = {"stages": [{"number": 1, "tiebreaks": []}], "reason": "The usual one."}
    status, _answer = send(client_of(olga), "patch", "league/", body)
    league = Cup.objects.get(pk=league.pk)
    assert (status, league.first_stage.tiebreaks) == (200, list(TEAM_ORDER))


def test_a_league_of_teams_can_be_by_invitation(olga: Player, client_of: ClientOf) -> None:
    client = client_of(olga)
    make_league(boards=2).organisers.add(olga)
    status, changed = send(client, "patch", "league/", {"by_invitation": True, "reason": "Friends only."})
    assert (status, changed["admission"]) == (200, "invitation")
    assert "Only invited teams can join." in text_of(client.get("/cups/league/"))
    assert "By invitation" in text_of(client.get(MAKE))
