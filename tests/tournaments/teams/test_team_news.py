"""News of leagues and cups of teams: captains and those at boards hear of it, and are told of their matches."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from players.models import Delivery, Player
from players.services.mail_delivery import send_due
from tests.pages.html import text_of
from tests.tournaments.teams.cups import let_win, start_team_cup
from tests.tournaments.teams.leagues import enter, make_league, make_teams, members, reach, start_league
from tests.tournaments.verbs import NOON, close_entry, withdraw
from tournaments.desk.selectors import Decision
from tournaments.desk.sentences import decision_sentence
from tournaments.entries.services.team_entries import admit_team
from tournaments.models import Entry, LogEntry
from tournaments.running.services.news import log_news
from tournaments.running.services.news_texts import write_line
from tournaments.running.services.notifications import send_news

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def olga(db: None) -> Player:
    return Player.objects.create(username="olga", is_superuser=True)


def test_players_at_a_board_are_told_of_the_match_and_substitutes_are_not():
    teams = make_teams(2, 3)
    everybody = [player for team in teams for player in members(team)]
    reach(*everybody)
    _league, _entries = start_league(teams, boards=2)
    seated = {player.username for team in teams for player in members(team)[:2]}
    send_news(now=NOON)
    begun = Delivery.objects.filter(kind="competition")
    assert {each.player.username for each in begun if each.about["fixtures"]} == seated
    assert all(len(each.about["fixtures"]) <= 1 for each in begun)


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


def test_pages_of_organisers_and_mails_say_teams_where_teams_are_meant(olga: Player):
    team, other = make_teams(2, 2)
    reach(olga, team.captain)
    league = make_league(boards=2, max_entrants=4)
    league.organisers.add(olga)
    enter(league, other)
    Player.objects.filter(pk=team.captain_id).update(may_be_entered=True)
    entry = admit_team(competition_id=league.pk, team_id=team.pk, players=None, actor=olga, now=NOON)
    assert isinstance(entry, Entry)
    withdraw(entry, olga, NOON + DAY, reason="Too late.")
    close_entry(league, olga, NOON + DAY)
    client = Client()
    client.force_login(olga)
    for path in ("", "entries/", "entries/?player=team"):
        page = text_of(client.get(f"/cups/league/organise/{path}"))
        assert "Teams" in page
        assert ("Teams" in page, re.findall(r"\bPlayers\b", page.partition("Overview")[2])) == (True, [])
    assert "1 team" in text_of(client.get("/organise/"))
    send_news(now=NOON + DAY)
    send_due(clock=lambda: NOON + DAY)
    texts = {sent.to[0].partition(" ")[0]: " ".join(f"{sent.subject} {sent.body}".split()) for sent in mail.outbox}
    assert "olga has entered your team Team 1 in League." in texts["team-1-1"]
    assert "Your team Team 1 has been withdrawn from League." in texts["team-1-1"]
    assert "a team has joined" in texts["olga"]
    assert "a player" not in texts["olga"]


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("decision", [Decision.CAN_START, Decision.UNANSWERED, Decision.CANNOT_START])
def test_decisions_count_teams_where_teams_play(decision: Decision, number: int):
    sentence = decision_sentence(decision, number, of_teams=True)
    assert f"{number} " in sentence
    assert "team" in sentence
    assert "player" not in sentence
    assert "player" in decision_sentence(decision, number)
