"""Meetings of teams, and their members' own part, on the pages of competitions and in exports."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments.teams.cups import end_board, let_win, start_team_cup
from tests.tournaments.teams.leagues import enter, make_league, make_teams, members, play_round, start_league
from tests.tournaments.verbs import NOON, end, recompute_tables, running, start, withdraw
from tournaments.models import Cup, Entry, LogEntry, Team
from tournaments.records.cups import cup_waits_for
from tournaments.records.groups import first_group_id
from tournaments.records.meetings import meetings_of
from tournaments.running.services.news_texts import write_line
from tournaments.tables.selectors.group_tables import cross, fixtures_of_group
from tournaments.tables.selectors.tables import latest_results
from tournaments.teams.services.members import leave_team
from tournaments.teams.services.teams import hand_over_team

pytestmark = pytest.mark.django_db


def played_league() -> tuple[Cup, list[Entry]]:
    """Return a league of three boards of which two are over, for Yellow: each team has won one."""
    league, entries = start_league(make_teams(2, 3), boards=3, cycles=2)
    for fixture in running(league)[:2]:
        end(fixture, Side.YELLOW, NOON + timedelta(days=1))
    return league, entries


def test_a_crosstable_of_teams_has_a_cell_for_each_meeting():
    league, _entries = played_league()
    end(running(league)[0], Side.YELLOW, NOON + timedelta(days=1))
    fixtures = list(fixtures_of_group(first_group_id(competition_id=league.pk)))
    home = meetings_of(fixtures)[0].teams.yellow
    guests = meetings_of(fixtures)[0].teams.red
    rows = cross([home, guests], fixtures)
    (own, theirs) = rows[0].cells[1], rows[1].cells[0]
    assert [cell.points for cell in own] == [(10, 5), None]
    assert [cell.points for cell in theirs] == [(5, 10), None]


def test_the_page_of_a_league_names_teams_and_who_sits_at_their_boards(client: Client):
    league, entries = played_league()
    recompute_tables(competition_id=league.pk, now=NOON + timedelta(days=1))
    page = client.get(f"/cups/{league.slug}/").content.decode()
    for entry in entries:
        assert f">{entry.team.name}</a>" in page
        assert f'href="/teams/{entry.team.slug}/"' in page
    for fixture in running(league):
        assert fixture.yellow_name in page
        assert fixture.red_name in page
    assert "boards 1–1" in page
    rows = [
        " ".join(re.sub(r"<[^>]+>", "", row).split())
        for row in re.findall(r'<li value="\d">(.*?)</li>', page, re.DOTALL)
    ]
    home = rows[0].split()[1].rpartition("-")[0]
    assert [row.split()[:2] for row in rows] == [[str(number), f"{home}-{number}"] for number in (1, 2, 3)]
    assert "not over" in page
    assert client.get(f"/cups/{league.slug}/?round=2").status_code == 200


def test_a_board_at_which_nobody_sits_has_no_player_on_the_page(client):
    one, other = make_teams(2, 2)
    league = make_league(boards=2)
    enter(league, one)
    enter(league, other, count=1)
    page = text_of(client.get(f"/cups/{league.slug}/"))
    assert "no player" not in page
    start(league)
    page = text_of(client.get(f"/cups/{league.slug}/"))
    assert page.count("no player") == 1
    assert re.search(r"team-1-2 \d–\d no player points 5–0|no player \d–\d team-1-2 points 0–5", page)


def test_the_page_of_a_match_names_its_board_and_the_teams(client):
    league, _entries = played_league()
    fixture = running(league)[0]
    page = text_of(client.get(f"/matches/{fixture.match_id}/"))
    assert f"League · round 1 · board {fixture.board}: {fixture.yellow.team} – {fixture.red.team}" in page


def test_a_league_waits_for_who_is_to_move_at_a_board():
    league, _entries = played_league()
    (fixture,) = running(league)
    (waiting,) = cup_waits_for(league, NOON)
    assert str(waiting.player) == fixture.yellow_name
    assert waiting.player == fixture.match.yellow


def test_latest_results_name_teams():
    league, entries = played_league()
    marks = latest_results(competition=league, entries=[each.pk for each in entries])
    assert {mark.opponent for mark in marks[entries[0].pk]} == {"Team 2"}


def test_exports_have_teams_boards_and_who_sits_there(client: Client):
    league, entries = played_league()
    recompute_tables(competition_id=league.pk, now=NOON + timedelta(days=1))

    def read(what: str) -> list[dict[str, str]]:
        response = client.get(f"/cups/{league.slug}/export/{what}.csv")
        return list(csv.DictReader(io.StringIO(response.getvalue().decode())))

    assert {row["team"] for row in read("entries")} == {each.team.name for each in entries}
    results = read("results")
    assert [row["board"] for row in results] == ["1", "2"]
    assert {results[0]["yellow_team"], results[0]["red_team"]} == {"Team 1", "Team 2"}
    assert results[0]["yellow"].startswith(results[0]["yellow_team"].lower().replace(" ", "-"))
    assert {row["username"] for row in read("standings")} == {"Team 1", "Team 2"}


def read(player: Player, url: str) -> str:
    client = Client()
    client.force_login(player)
    return text_of(client.get(url))


def test_members_of_the_team_that_has_won_a_cup_are_not_told_that_it_is_out():
    teams = make_teams(2, 2)
    cup, entries = start_team_cup(teams, now=timezone.now())
    let_win(cup, entries[0], at=timezone.now())
    for number, team in enumerate(teams, start=1):
        for player in members(team):
            page = read(player, cup.get_absolute_url())
            assert (f"Your team’s final place: {number}" in page, "Your team is out" in page) == (True, False)


def test_members_read_where_their_team_finished_in_a_league():
    teams = make_teams(2, 2)
    league, _entries = start_league(teams, boards=2, now=timezone.now())
    play_round(league, at=timezone.now())
    recompute_tables(competition_id=league.pk, now=timezone.now())
    _captain, member = members(teams[0])
    page = read(member, league.get_absolute_url())
    assert "Your team’s final place" in page


def test_the_page_says_you_played_once_the_team_is_out_you_have_left_it_or_the_cup_is_over():
    teams = make_teams(4, 2)
    cup, entries = start_team_cup(teams, now=timezone.now())
    players = [members(team)[1] for team in teams]
    page = cup.get_absolute_url()

    def told() -> list[bool]:
        """Return of each team's member whether they play for it; one who does not has played for it."""
        pages = [read(player, page) for player in players]
        assert [f"You play for {team}" not in shown for team, shown in zip(teams, pages, strict=True)] == [
            f"You played for {team}" in shown for team, shown in zip(teams, pages, strict=True)
        ]
        return [f"You play for {team}" in shown for team, shown in zip(teams, pages, strict=True)]

    assert told() == [True] * 4
    let_win(cup, entries[0], entries[1], at=timezone.now())
    assert told() == [True, True, False, False]
    leave_team(team_id=teams[1].pk, player=players[1], now=timezone.now())
    assert told() == [True, False, False, False]
    let_win(cup, entries[0], at=timezone.now())
    assert told() == [False] * 4


def test_a_player_who_sat_for_a_withdrawn_team_reads_that_they_played_for_it():
    teams = make_teams(3, 2)
    league, _entries = start_league(teams, boards=2, now=timezone.now())
    play_round(league, at=timezone.now())
    fixture = league.fixtures.filter(yellow_player__isnull=False).order_by("pk").first()
    team, player = fixture.yellow, fixture.yellow_player
    assert f"You play for {team}" in read(player, league.get_absolute_url())
    withdraw(team, team.team.captain, timezone.now())
    assert f"You played for {team}" in read(player, league.get_absolute_url())


def test_mails_that_it_is_over_say_the_place_of_the_team_that_a_player_leads_or_sat_for():
    teams = make_teams(3, 2)
    (captain, member), (former, handed), (_third, other) = (members(team) for team in teams)
    league, _entries = start_league(teams, boards=2, now=timezone.now())
    hand_over_team(team_id=teams[1].pk, player=handed, actor=former, now=NOON)
    for _round in range(3):
        for fixture in running(league):
            first = min((fixture.yellow, fixture.red), key=lambda entry: entry.pk)
            end_board(fixture, first, timezone.now())
    recompute_tables(competition_id=league.pk, now=timezone.now())
    (line,) = LogEntry.objects.filter(competition=league, action="finished")
    places = {captain: 1, member: 1, former: 2, handed: 2, other: 3}
    for player, place in places.items():
        told = write_line(line, player_id=player.pk, organises=False)
        assert told.sentence == f"League is over. Team 1 has won. Your team's place: {place}."
    # The captain who entered one team leads another one by now.
    Team.objects.filter(pk=teams[1].pk).update(captain=captain)
    Team.objects.filter(pk=teams[0].pk).update(captain=member)
    assert write_line(line, player_id=captain.pk, organises=False).sentence.endswith("Your team's place: 2.")
