"""Leagues of teams over the API: entering a team, line-ups and who may read them, and meetings with their boards."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from rest_framework.test import APIClient

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.teams.leagues import make_league, make_teams, members, play_round, start_league
from tests.tournaments.verbs import NOON, end, make_cup, make_players, recompute_tables, running
from tournaments.entries.services.line_ups import set_line_up
from tournaments.models import Competition, LineUp
from tournaments.teams.services.teams import hand_over_team

pytestmark = pytest.mark.django_db

URL = "/api/v1/competitions/league/"


def ask(who: Player | None, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    client = APIClient()
    if who is not None:
        client.force_login(who)
    response = getattr(client, method)(f"{URL}{path}", body, format="json")
    return response.status_code, response.json()


def test_a_captain_enters_a_team_and_names_a_line_up() -> None:
    team = make_teams(1, 3)[0]
    first, second, third = members(team)
    make_league(boards=2)
    body = {"team": "team-1", "players": [str(first), str(second)]}
    assert ask(second, "post", "enter-team/", body)[1]["code"] == "not_the_captain"
    assert ask(first, "put", "line-up/", {"round": 1, "players": [str(first)]})[0] == 404
    status, entry = ask(first, "post", "enter-team/", body)
    assert (status, entry["status"]) == (201, "active")
    assert ask(first, "post", "enter-team/", body)[1]["code"] == "already_entered"
    status, line_up = ask(first, "put", "line-up/", {"round": 1, "players": [str(third), str(first)]})
    assert status == 200
    assert line_up["team"] == {"slug": "team-1", "name": "Team 1", "url": "/teams/team-1/"}
    assert (line_up["round"], line_up["players"]) == (1, [str(third), str(first)])
    assert LineUp.objects.get(round_number=1).players == [third.pk, first.pk]
    stranger = make_players(1)[0]
    refused = ask(first, "put", "line-up/", {"round": 1, "players": [str(stranger)]})
    assert (refused[0], refused[1]["code"]) == (422, "invalid_line_up")


def test_a_password_is_asked_for() -> None:
    team = make_teams(1, 2)[0]
    league = make_league(boards=2)
    Competition.objects.filter(pk=league.pk).update(password=make_password("open sesame"))
    body = {"team": "team-1", "players": [str(team.captain)]}
    assert ask(team.captain, "post", "enter-team/", body)[1]["code"] == "wrong_competition_password"
    assert ask(team.captain, "post", "enter-team/", body | {"password": "open sesame"})[0] == 201


def test_cups_of_single_players_have_no_line_ups() -> None:
    make_cup(slug="league")
    team = make_teams(1, 2)[0]
    body = {"players": [str(team.captain)]}
    assert ask(team.captain, "post", "enter-team/", body | {"team": "team-1"})[1]["code"] == "single_players_only"
    assert ask(team.captain, "put", "line-up/", body | {"round": 1})[1]["code"] == "single_players_only"
    assert ask(None, "get", "line-ups/") == (200, [])
    assert ask(None, "get", "meetings/") == (200, [])


def test_line_ups_of_coming_rounds_are_seen_by_their_captains_and_by_organisers() -> None:
    teams = make_teams(4, 3)
    league, entries = start_league(teams, boards=2)
    third = members(teams[0])[2]
    set_line_up(entry_id=entries[0].pk, round_number=2, players=[third.pk], actor=teams[0].captain, now=NOON)
    organiser, stranger = make_players(2, "other")
    league.organisers.add(organiser)

    def seen(who: Player | None, path: str) -> list[tuple[str, int, list[str]]]:
        status, line_ups = ask(who, "get", path)
        assert status == 200
        return [(each["team"]["slug"], each["round"], each["players"]) for each in line_ups]

    first = [(team.slug, 0, [str(each) for each in members(team)[:2]]) for team in teams]
    assert seen(None, "line-ups/") == seen(stranger, "line-ups/?round=1") == first
    for who in (None, stranger, members(teams[0])[1]):
        assert seen(who, "line-ups/?round=2") == []
    own = ("team-1", 2, [str(third)])
    assert seen(teams[0].captain, "line-ups/?round=2") == [own]
    assert seen(teams[1].captain, "line-ups/?round=2") == first[1:2]
    assert seen(organiser, "line-ups/?round=2") == [own, *first[1:]]
    play_round(league, at=NOON + timedelta(days=1))
    assert seen(None, "line-ups/") == [own, *first[1:]]


def test_meetings_add_up_their_boards_the_home_team_first() -> None:
    league, _entries = start_league(make_teams(2, 3), boards=3)
    first, second = running(league)[:2]
    end(first, Side.YELLOW, NOON + timedelta(days=1))
    end(second, Side.YELLOW, NOON + timedelta(days=1))
    status, (meeting,) = ask(None, "get", "meetings/")
    assert status == 200
    assert [each["board"] for each in meeting["boards"]] == [1, 2, 3]
    assert meeting["boards"][0]["players"]["yellow"].startswith(meeting["home"]["slug"])
    assert meeting["boards"][1]["players"]["yellow"].startswith(meeting["guests"]["slug"])
    assert (meeting["boards_won"], meeting["points"]) == ({"home": 1, "guests": 1}, None)
    end(running(league)[0], Side.YELLOW, NOON + timedelta(days=1))
    (meeting,) = ask(None, "get", "meetings/?round=1")[1]
    assert (meeting["boards_won"], meeting["points"]) == ({"home": 2, "guests": 1}, {"home": 2, "guests": 0})
    assert meeting["match_points"]["home"] == 2 * meeting["match_points"]["guests"]
    assert ask(None, "get", "meetings/?round=2") == (200, [])


def test_tables_and_competitions_say_that_teams_play() -> None:
    teams = make_teams(2, 3)
    league, _entries = start_league(teams, boards=2)
    recompute_tables(competition_id=league.pk, now=NOON)
    rows = ask(None, "get", "standings/")[1]["results"]
    assert sorted(row["team"]["name"] for row in rows) == ["Team 1", "Team 2"]
    assert "the next team" in rows[0]["reason"]
    shown = ask(teams[0].captain, "get", "")[1]
    assert (shown["boards"], shown["entry"]["status"]) == (2, "active")
    second = members(teams[0])[1]
    assert ask(second, "get", "")[1]["entry"] is None
    (own,) = ask(None, "get", f"fixtures/?player={second}")[1]["results"]
    assert own["board"] == 2
    assert str(second) in own["players"].values()
    hand_over_team(team_id=teams[0].pk, player=second, actor=teams[0].captain, now=NOON)
    assert ask(second, "get", "")[1]["entry"]["status"] == "active"
    assert ask(teams[0].captain, "get", "")[1]["entry"] is None
