"""The page of a competition of teams tells those who sit, or have sat, at a board about their own part."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.teams.cups import end_board, let_win, start_team_cup
from tests.tournaments.teams.leagues import make_teams, members, play_round, start_league
from tests.tournaments.verbs import running, withdraw
from tests.tournaments.whole_tables import recompute_tables
from tournaments.models import LogEntry, Team
from tournaments.running.services.news_texts import write_line
from tournaments.teams.services.members import leave_team
from tournaments.teams.services.teams import hand_over_team

pytestmark = pytest.mark.django_db


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
    hand_over_team(team_id=teams[1].pk, player=handed, actor=former)
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
