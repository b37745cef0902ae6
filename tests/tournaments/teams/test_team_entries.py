"""The pages on which captains enter teams and name their line-ups."""

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from tests.matches.test_queries import queries_of
from tests.pages.html import text_of
from tests.tournaments.teams.leagues import enter, make_league, make_teams, members, play_round, start_league
from tests.tournaments.verbs import NOON, make_cup, make_players, recompute_tables, running, withdraw
from tournaments.models import Competition, Entry, LineUp, Team
from tournaments.office.selectors.own_entries import find_own_entry
from tournaments.teams.services.teams import found_team, hand_over_team

pytestmark = pytest.mark.django_db

ENTER, LINE_UP = "/cups/league/team/", "/cups/league/line-up/"


def log_in(client: Client, team: Team) -> None:
    client.force_login(team.captain)


def seats(*players: object) -> dict[str, object]:
    """Return what the form of a line-up says."""
    return {f"board_{number}": getattr(player, "pk", "") for number, player in enumerate(players, start=1)}


def read(client: Client, url: str) -> str:
    return client.get(url).content.decode()


def test_a_captain_enters_a_team_with_the_order_of_its_players(client: Client):
    team = make_teams(1, 3)[0]
    make_league(boards=2)
    log_in(client, team)
    assert 'href="/cups/league/team/"' in read(client, "/cups/league/")
    assert "Enter Team 1" in read(client, ENTER)
    first, _second, third = members(team)
    assert client.post(ENTER, seats(third, first)).status_code == 302
    assert LineUp.objects.get(entry__team=team).players == [third.pk, first.pk]
    page = read(client, "/cups/league/")
    assert 'href="/cups/league/line-up/?team=team-1"' in page
    assert 'href="/cups/league/team/"' not in page
    assert client.get(ENTER).status_code == 404


def test_a_captain_of_several_teams_chooses_one(client: Client):
    team = make_teams(1, 2)[0]
    shirt = {"pattern": "plain", "first_colour": "red", "second_colour": "red"}
    other = found_team(name="Zebras", captain=team.captain, now=NOON, **shirt)
    make_league(boards=2)
    log_in(client, team)
    page = read(client, ENTER)
    assert "Enter Team 1" in page
    assert 'href="?team=zebras"' in page
    assert client.post(f"{ENTER}?team=zebras", seats(team.captain)).status_code == 302
    assert Entry.objects.get().team == other
    assert client.get(f"{ENTER}?team=team-1").status_code == 404


@pytest.mark.parametrize("chosen", [(), (1, 1), (None, 1)])
def test_a_line_up_that_cannot_be_is_refused_on_the_page(client: Client, chosen: tuple):
    team = make_teams(1, 3)[0]
    make_league(boards=3)
    log_in(client, team)
    players = members(team)
    page = client.post(ENTER, seats(*(players[each] if each else None for each in chosen)))
    assert page.status_code == 400
    assert "errorlist" in page.content.decode()
    assert not Entry.objects.exists()


def test_a_password_is_asked_for_where_the_competition_has_one(client: Client):
    team = make_teams(1, 2)[0]
    league = make_league(boards=2)
    Competition.objects.filter(pk=league.pk).update(password=make_password("open sesame"))
    log_in(client, team)
    chosen = seats(*members(team))
    assert "This is not the password" in client.post(ENTER, chosen | {"password": "x"}).content.decode()
    assert client.post(ENTER, chosen | {"password": "open sesame"}).status_code == 302


def test_a_captain_names_the_line_up_of_a_coming_round_and_sees_the_one_that_holds(client: Client):
    teams = make_teams(4, 3)
    league, entries = start_league(teams, boards=2, now=timezone.now())
    first, second, third = members(teams[0])
    log_in(client, teams[0])
    page = read(client, LINE_UP)
    assert "from round 2" in page
    assert f'<option value="{first.pk}" selected>{first}</option>' in page
    assert "the line-up with which the team joined" in page
    assert client.post(LINE_UP, seats(third, second)).status_code == 302
    assert "You set this line-up" in read(client, LINE_UP)
    later = read(client, f"{LINE_UP}?round=3")
    assert f'<option value="{third.pk}" selected>{third}</option>' in later
    assert "is used from round 2 on" in later
    # The first round has begun, and there is no fourth.
    assert client.get(f"{LINE_UP}?round=1").status_code == 404
    assert client.get(f"{LINE_UP}?round=4").status_code == 404
    play_round(league, at=timezone.now())
    assert "from round 3" in read(client, LINE_UP)
    assert entries[0].line_ups.count() == 2


def test_only_the_captain_names_the_line_up(client: Client):
    teams = make_teams(2, 3)
    start_league(teams, boards=2, now=timezone.now(), cycles=2)
    captain, second, third = members(teams[0])
    for player in (second, make_players(1)[0]):
        client.force_login(player)
        assert client.get(LINE_UP).status_code == 404
        assert "line-up/" not in read(client, "/cups/league/")
    hand_over_team(team_id=teams[0].pk, player=second, actor=captain, now=NOON)
    client.force_login(second)
    assert client.post(LINE_UP, seats(third)).status_code == 302
    client.force_login(captain)
    assert client.get(LINE_UP).status_code == 404


def test_a_new_captain_withdraws_the_team_and_the_old_one_cannot(client: Client):
    teams = make_teams(2, 2)
    league = make_league(boards=2)
    enter(league, teams[0])
    captain, second = members(teams[0])
    hand_over_team(team_id=teams[0].pk, player=second, actor=captain, now=NOON)
    client.force_login(captain)
    client.post("/cups/league/leave/")
    assert Entry.objects.filter(team=teams[0]).exists()
    client.force_login(second)
    client.post("/cups/league/leave/")
    assert not Entry.objects.filter(team=teams[0]).exists()


def test_cups_of_single_players_have_no_such_pages(client: Client):
    cup = make_cup()
    log_in(client, make_teams(1, 2)[0])
    assert client.get(f"/cups/{cup.slug}/team/").status_code == 409
    assert client.get(f"/cups/{cup.slug}/line-up/").status_code == 409
    assert "Only single players can join this competition" in read(client, f"/cups/{cup.slug}/team/")
    assert "Play here with your team" not in read(client, f"/cups/{cup.slug}/")


def test_the_line_up_is_offered_no_more_once_the_last_round_has_begun(client: Client):
    teams = make_teams(2, 3)
    league, _entries = start_league(teams, boards=2, now=timezone.now(), cycles=2)
    log_in(client, teams[0])
    assert "line-up/" in read(client, "/cups/league/")
    play_round(league, at=timezone.now())
    page = read(client, "/cups/league/")
    assert "line-up/" not in page
    assert "The last round has begun" in page
    answer = client.get(LINE_UP)
    assert (answer.status_code, answer["Location"]) == (302, "/cups/league/")


def test_members_see_their_own_matches_on_the_page_of_the_league(client: Client):
    teams = make_teams(2, 3)
    league, _entries = start_league(teams, boards=2, now=timezone.now())
    _captain, second, third = members(teams[0])
    own = next(each for each in running(league) if second in each.players)
    client.force_login(second)
    page = client.get("/cups/league/")
    assert [match.pk for match in page.context["my_matches"]] == [own.match_id]
    assert "Your next matches" in page.content.decode()
    client.force_login(third)
    assert "Your next matches" not in read(client, "/cups/league/")


def test_members_see_their_team_and_their_results_on_every_page_of_the_league(client: Client):
    teams = make_teams(4, 3)
    league, _entries = start_league(teams, boards=2, now=timezone.now())
    _captain, second, third = members(teams[0])
    client.force_login(second)
    running_now = client.get("/cups/league/?round=2")
    assert ("You play for Team 1" in text_of(running_now), "Your results" in text_of(running_now)) == (True, False)
    own = next(each for each in running(league) if second in each.players)
    assert read(client, "/cups/league/?round=1").count('<li value="2" class="me">') == 1
    assert text_of(client.get("/cups/league/?round=1")).count("your match") == 1
    play_round(league, at=timezone.now())
    recompute_tables(competition_id=league.pk, now=timezone.now())
    own.refresh_from_db()
    won = own.yellow_player == second
    for url in ("/cups/league/", "/cups/league/?round=3"):
        page = text_of(client.get(url))
        opponent = own.red_player if won else own.yellow_player
        assert f"Your results {opponent} round 1, board 2" in page
        assert "Your team’s place" in page
        assert '<td class="num place" id="me">' in read(client, url)
    queries = len(queries_of(lambda: client.get("/cups/league/")))
    play_round(league, at=timezone.now())
    assert len(queries_of(lambda: client.get("/cups/league/"))) == queries
    client.force_login(third)
    assert "You play for" not in read(client, "/cups/league/")
    client.logout()
    assert ("You play for" in read(client, "/cups/league/"), "your match" in read(client, "/cups/league/")) == (
        False,
        False,
    )


def test_a_captain_is_not_said_to_have_named_what_another_captain_has(client: Client):
    teams = make_teams(2, 3)
    start_league(teams, boards=2, now=timezone.now(), cycles=2)
    captain, second, third = members(teams[0])
    client.force_login(captain)
    client.post(LINE_UP, seats(third))
    hand_over_team(team_id=teams[0].pk, player=second, actor=captain, now=NOON)
    client.force_login(second)
    page = read(client, LINE_UP)
    assert "You set this" not in page
    assert "another captain set this line-up" in page
    client.post(LINE_UP, seats(third, second))
    assert "You set this line-up" in read(client, LINE_UP)


def test_a_captain_of_two_teams_leaves_with_the_one_that_plays(client: Client):
    teams = make_teams(3, 3)
    league, entries = start_league(teams, boards=2, now=timezone.now())
    captain = teams[0].captain
    withdraw(entries[0], captain, timezone.now())
    teams[1].memberships.create(player=captain, status="member", invited_at=NOON, joined_at=NOON)
    hand_over_team(team_id=teams[1].pk, player=captain, actor=teams[1].captain, now=NOON)
    assert find_own_entry(slug=league.slug, player=captain) == entries[1]
    client.force_login(captain)
    assert client.get("/cups/league/").context["entry"] == entries[1]
    assert client.get("/api/v1/competitions/league/").json()["entry"]["status"] == "active"
    client.post("/cups/league/leave/")
    entries[1].refresh_from_db()
    assert not entries[1].is_in


def test_a_captain_of_two_teams_withdraws_either(client: Client):
    teams = make_teams(5, 3)
    _league, entries = start_league(teams, boards=2, now=timezone.now())
    captain = teams[0].captain
    for team in teams[1:3]:
        team.memberships.create(player=captain, status="member", invited_at=NOON, joined_at=NOON)
        hand_over_team(team_id=team.pk, player=captain, actor=team.captain, now=NOON)

    def who_plays() -> list[bool]:
        return [Entry.objects.get(pk=entry.pk).is_in for entry in entries]

    client.force_login(captain)
    page = read(client, "/cups/league/")
    assert [page.count(f'action="/cups/league/leave/?team={team.slug}"') for team in teams] == [1, 1, 1, 0, 0]
    client.post("/cups/league/leave/?team=team-2")
    assert who_plays() == [True, False, True, True, True]
    assert client.post("/cups/league/leave/?team=team-4").status_code == 404
    url = "/api/v1/competitions/league/leave/"
    refused = client.post(url, {"team": "team-5"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    left = client.post(url, {"team": "team-3"}, content_type="application/json")
    assert (left.status_code, left.json()["status"]) == (200, "gone")
    assert who_plays() == [True, False, False, True, True]


def test_a_captain_of_two_teams_names_the_line_up_of_both(client: Client):
    teams = make_teams(4, 3)
    league, entries = start_league(teams, boards=2, now=timezone.now())
    captain = teams[0].captain
    teams[1].memberships.create(player=captain, status="member", invited_at=NOON, joined_at=NOON)
    hand_over_team(team_id=teams[1].pk, player=captain, actor=teams[1].captain, now=NOON)
    client.force_login(captain)
    page = read(client, "/cups/league/")
    for team in teams[:2]:
        assert f'href="/cups/league/line-up/?team={team.slug}"' in page
    own = read(client, LINE_UP)
    assert ("Line-up of Team 1" in own, 'href="?team=team-2"' in own) == (True, True)
    other = f"{LINE_UP}?team=team-2"
    shown = read(client, other)
    assert ("Line-up of Team 2" in shown, 'href="?team=team-2&amp;round=3"' in shown) == (True, True)
    third = members(teams[1])[2]
    assert client.post(other, seats(third))["Location"] == f"{other}&round=2"
    assert LineUp.objects.get(round_number=2).entry == entries[1]
    assert client.get(f"{LINE_UP}?team=team-3").status_code == 404
    body = {"round": 3, "players": [str(third)]}
    for named, entry in (("team-2", entries[1]), ("", entries[0])):
        players = body | ({"team": named} if named else {"players": [str(captain)]})
        done = client.put(f"/api/v1/competitions/{league.slug}/line-up/", players, content_type="application/json")
        assert done.status_code == 200, done.json()
        assert LineUp.objects.filter(entry=entry, round_number=3).exists()
    unknown = client.put(
        f"/api/v1/competitions/{league.slug}/line-up/", body | {"team": "team-3"}, content_type="application/json"
    )
    assert unknown.json()["code"] == "not_found"


def test_the_first_page_names_the_teams_whose_next_line_up_the_captain_has_not_named(client: Client):
    teams = make_teams(4, 3)
    start_league(teams, boards=2, now=timezone.now())
    captain, second, _third = members(teams[0])
    client.force_login(captain)
    page = read(client, "/")
    assert ("Line-ups to set" in page, 'href="/cups/league/line-up/?team=team-1&amp;round=2"' in page) == (True, True)
    few = len(queries_of(lambda: client.get("/")))
    client.post(f"{LINE_UP}?round=2", seats(second))
    assert "Line-ups to set" not in read(client, "/")
    teams[1].memberships.create(player=captain, status="member", invited_at=NOON, joined_at=NOON)
    hand_over_team(team_id=teams[1].pk, player=captain, actor=teams[1].captain, now=NOON)
    LineUp.objects.filter(round_number=2).delete()
    assert read(client, "/").count('href="/cups/league/line-up/') == 2
    assert len(queries_of(lambda: client.get("/"))) == few
    client.force_login(second)
    assert "Line-ups to set" not in read(client, "/")
