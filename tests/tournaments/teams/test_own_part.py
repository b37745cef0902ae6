"""What the page of a competition of teams says to those who sit, or have sat, at a board."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.tables import recompute_tables
from tests.tournaments.teams.cups import let_win, start_team_cup
from tests.tournaments.teams.leagues import make_teams, members, play_round, start_league

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
            assert (f"Your team finished in place {number}" in page, "Your team is out" in page) == (True, False)


def test_members_read_where_their_team_finished_in_a_league():
    teams = make_teams(2, 2)
    league, _entries = start_league(teams, boards=2, now=timezone.now())
    play_round(league, at=timezone.now())
    recompute_tables(competition_id=league.pk, now=timezone.now())
    _captain, member = members(teams[0])
    page = read(member, league.get_absolute_url())
    assert "Your team finished in place" in page
