"""News of leagues and cups of teams: captains and those at boards hear of it, and are told of their matches."""

from __future__ import annotations

from datetime import timedelta

import pytest

from players.models import Delivery, Player
from tests.tournaments.competitions.running import NOON, make_players
from tests.tournaments.teams.cups import let_win, start_team_cup
from tests.tournaments.teams.leagues import make_teams, members, start_league
from tournaments.models import LogEntry
from tournaments.services.lifecycle.status import announce
from tournaments.services.news import log_news
from tournaments.services.news_texts import write_line
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


def test_captains_hear_how_far_their_team_has_come():
    teams = make_teams(5, 2)
    cup, entries = start_team_cup(teams, third_place=True)
    for winners in ((entries[3],), (entries[0], entries[1]), (entries[0], entries[2])):
        log_news(now=NOON + DAY)
        let_win(cup, *winners, at=NOON + DAY)
    log_news(now=NOON + DAY)
    said: dict[str, list[str]] = {each.name: [] for each in teams}
    for line in LogEntry.objects.filter(competition=cup, action__in=["through", "out"]).order_by("pk"):
        for captain in line.concerns.all():
            news = write_line(line, player_id=captain.pk, organises=False)
            said[captain.captained_teams.get().name].append(news.sentence)
    through = "Your team is through in Team cup: {}."
    assert said == {
        "Team 1": [through.format("Final")],
        "Team 2": [through.format("Final")],
        "Team 3": ["Your team came third in Team cup."],
        "Team 4": [through.format("Semi-finals"), "Your team is out of Team cup. Your team's place: 4."],
        "Team 5": ["Your team is out of Team cup. Your team's place: 5."],
    }
    (end,) = LogEntry.objects.filter(competition=cup, action="finished")
    news = write_line(end, player_id=teams[1].captain_id, organises=False)
    assert news.sentence == "Team cup is over. Team 1 has won. Your team's place: 2."
