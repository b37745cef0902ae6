"""News of a league of teams: its captains and those at its boards hear of it, and are told of their matches."""

from __future__ import annotations

from datetime import timedelta

import pytest

from players.models import Delivery, Player
from tests.tournaments.competitions.running import NOON, make_players
from tests.tournaments.teams.leagues import make_teams, members, start_league
from tournaments.services.lifecycle.status import announce
from tournaments.services.notifications import send_news

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def reach(*players: Player) -> None:
    for player in players:
        Player.objects.filter(pk=player.pk).update(email=f"{player}@example.org", email_confirmed_at=NOON)


def test_who_sits_at_a_board_is_told_of_the_match_and_of_news_and_substitutes_are_not():
    teams = make_teams(2, 3)
    everybody = [player for team in teams for player in members(team)]
    reach(*everybody)
    league, _entries = start_league(teams, boards=2)
    seated = {player.username for team in teams for player in members(team)[:2]}
    send_news(now=NOON)
    begun = Delivery.objects.filter(kind="competition")
    assert {each.player.username for each in begun if each.about["fixtures"]} == seated
    assert all(len(each.about["fixtures"]) <= 1 for each in begun)
    Delivery.objects.all().delete()
    organiser = make_players(1, "organiser")[0]
    league.organisers.add(organiser)
    announce(competition_id=league.pk, actor=organiser, text="Have fun!", now=NOON + DAY)
    send_news(now=NOON + DAY)
    told = list(Delivery.objects.filter(kind="competition"))
    assert sorted(each.player.username for each in told) == sorted(seated)
    assert all(len(each.about["lines"]) == 1 for each in told)
