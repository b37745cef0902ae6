"""A team's win is a title of the team, and of those who sat at its boards."""

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.teams.cups import let_win, start_team_cup
from tests.tournaments.teams.leagues import enter_all, make_league, make_teams, members, start_league
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.entries.services.line_ups import set_line_up
from tournaments.models import Competition, Cup, Entry, Series, Team, Title
from tournaments.models.title_names import TitleKind
from tournaments.tables.selectors.titles import find_holder, list_titles, titles_of, titles_of_team
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db


def win(league: Cup, team: Team, rounds: int = 1) -> None:
    """Let a team win all boards of so many rounds."""
    for _round in range(rounds):
        for fixture in verbs.running(league):
            verbs.end(fixture, Side.YELLOW if fixture.yellow.team == team else Side.RED, timezone.now())
    league.refresh_from_db()


def won_by_first() -> tuple[Cup, Team]:
    """Return a league of two rounds that team 1 has won, with its third member at a board in the second one."""
    teams = make_teams(2, 4)
    league, entries = start_league(teams, boards=2, now=timezone.now(), cycles=2)
    captain, _second, third, _fourth = members(teams[0])
    players = [captain.pk, third.pk]
    set_line_up(entry_id=entries[0].pk, round_number=2, players=players, actor=captain, now=timezone.now())
    win(league, teams[0], rounds=2)
    return league, teams[0]


def test_a_title_of_a_team_is_also_that_of_those_who_sat_at_its_boards():
    league, team = won_by_first()
    title = Title.objects.get()
    assert (title.competition_id, title.team, title.player) == (league.pk, team, team.captain)
    captain, second, third, fourth = members(team)
    assert [bool(titles_of(player)) for player in (captain, second, third, fourth)] == [True, True, True, False]
    assert titles_of_team(team) == [title]
    other = Team.objects.exclude(pk=team.pk).get()
    assert (titles_of_team(other), titles_of(other.captain)) == ([], [])
    assert verbs.faults_of(league, timezone.now()) == []
    title.members.remove(third)
    (wrong,) = verbs.faults_of(league, timezone.now())
    assert "the title is" in wrong
    assert f"{third.pk}" in wrong


def test_a_league_of_teams_has_a_champion_and_a_cup_of_teams_a_cup_winner():
    won_by_first()
    cup, entries = start_team_cup(list(Team.objects.order_by("pk")), now=timezone.now())
    let_win(cup, entries[0], at=timezone.now())
    kinds = Title.objects.order_by("competition").values_list("kind", flat=True)
    assert list(kinds) == [TitleKind.CHAMPION, TitleKind.CUP]


def test_a_captain_who_never_sat_at_a_board_has_no_title():
    teams = make_teams(2, 3)
    league = make_league(boards=2)
    captain, second, third = members(teams[0])
    entry, _other = enter_all(league, teams)
    entry.line_ups.update(players=[second.pk, third.pk])
    verbs.start(league, timezone.now())
    win(league, teams[0])
    assert (titles_of(captain), len(titles_of(second))) == ([], 1)


def test_pages_and_the_api_show_what_a_team_has_won():
    _league, team = won_by_first()
    _captain, second, _third, fourth = members(team)
    client = Client()
    assert "Titles League champion" in text_of(client.get(team.get_absolute_url()))
    assert "Team 1 League champion" in text_of(client.get("/hall-of-fame/"))
    assert "champion with Team 1" in text_of(client.get(f"/players/{second}/"))
    assert "champion" not in text_of(client.get(f"/players/{fourth}/"))
    assert "Team 1" in text_of(client.get(f"/hall-of-fame/?player={second}"))
    (found,) = client.get(f"/api/v1/titles/?player={second}").json()["results"]
    assert (found["team"]["slug"], found["player"], found["competition"]) == ("team-1", "team-1-1", "league")
    assert client.get(f"/api/v1/titles/?player={fourth}").json()["results"] == []


def start_of_two(boss: Player) -> tuple[Cup, list[Entry]]:
    """Return a league of two teams that meet twice; the third of team 1 sits at its second board in round 2 only."""
    league, entries = start_league(make_teams(2, 3), boards=2, now=timezone.now(), cycles=2)
    league.organisers.add(boss)
    captain, _second, third = members(entries[0].team)
    players = [captain.pk, third.pk]
    set_line_up(entry_id=entries[0].pk, round_number=2, players=players, actor=captain, now=timezone.now())
    return league, entries


def holders(league: Cup) -> list[str]:
    """Return whose the title is, once it has been compared with the results: the team and its members at boards."""
    recompute_stale(now=timezone.now())
    league.refresh_from_db()
    assert verbs.faults_of(league, timezone.now()) == []
    title = Title.objects.filter(competition=league).first()
    names = [] if title is None else title.members.order_by("pk").values_list("username", flat=True)
    return [] if title is None else [str(title.team), *names]


def test_a_title_is_not_of_who_sat_at_an_annulled_board_only_until_that_is_taken_back(olga: Player):
    league, entries = start_of_two(olga)
    win(league, entries[0].team)
    board = next(each for each in verbs.running(league) if "team-1-3" in {each.yellow_name, each.red_name})
    verbs.end(board, entries[0], timezone.now())
    verbs.annul(board, olga, timezone.now(), reason="Wrong game.")
    win(league, entries[0].team)
    assert holders(league) == ["Team 1", "team-1-1", "team-1-2"]
    take_back_annulment(fixture_id=board.pk, confirm=False, actor=olga, reason="Right.", now=timezone.now())
    assert holders(league) == ["Team 1", "team-1-1", "team-1-2", "team-1-3"]


def test_a_title_goes_to_who_wins_a_replay_and_back_when_that_is_taken_back(olga: Player):
    league, entries = start_of_two(olga)
    for fixture, winner in zip(verbs.running(league), entries, strict=True):
        verbs.end(fixture, winner, timezone.now())
    won, level = verbs.running(league)
    verbs.end(won, entries[0], timezone.now())
    again = verbs.replay(won, olga, timezone.now())
    verbs.end(again, entries[1], timezone.now())
    verbs.end(level, None, timezone.now())
    assert holders(league) == ["Team 2", "team-2-1", "team-2-2"]
    take_back_replay(fixture_id=won.pk, confirm=True, actor=olga, reason="No.", now=timezone.now())
    assert holders(league) == ["Team 1", "team-1-1", "team-1-2", "team-1-3"]


def test_a_title_goes_with_a_withdrawal_and_back_when_that_is_taken_back(olga: Player):
    league, entries = start_of_two(olga)
    won, level = verbs.running(league)
    verbs.end(won, entries[0], timezone.now())
    verbs.end(level, None, timezone.now())
    verbs.withdraw(entries[0], olga, timezone.now())
    verbs.settle_all(timezone.now())
    assert holders(league) == ["Team 2", "team-2-1", "team-2-2"]
    verbs.undo_withdrawal(entries[0], olga, timezone.now())
    assert holders(league) == []
    win(league, entries[0].team)
    assert holders(league) == ["Team 1", "team-1-1", "team-1-2", "team-1-3"]


def test_the_title_of_a_knock_out_goes_with_the_decision_that_gave_it(olga: Player):
    cup, entries = start_team_cup(make_teams(2, 2), now=timezone.now())
    cup.organisers.add(olga)
    adjudicated = verbs.running(cup)
    for fixture in adjudicated:
        own = Side.YELLOW if fixture.yellow == entries[0] else Side.RED
        verbs.adjudicate(fixture, own, olga, timezone.now(), reason="Ill.")
    verbs.settle_all(timezone.now())
    assert holders(cup) == ["Team 1", "team-1-1", "team-1-2"]
    for fixture in adjudicated:
        take_back_decision(fixture_id=fixture.pk, confirm=True, actor=olga, reason="Well.", now=timezone.now())
        assert holders(cup) == []
    let_win(cup, entries[1], at=timezone.now())
    assert holders(cup) == ["Team 2", "team-2-1", "team-2-2"]


def test_the_team_that_holds_the_title_of_a_series_is_marked_and_its_captain_is_not():
    league, team = won_by_first()
    series = Series.objects.create(
        name="League", slug="leagues", rhythm="weekly", carry_over="nobody", anchor=NOON, created_at=NOON
    )
    Competition.objects.filter(pk=league.pk).update(series=series, season=1, slug="season-1")
    season = make_league(boards=2)
    Competition.objects.filter(pk=season.pk).update(series=series, season=2)
    season.refresh_from_db()
    assert find_holder(season) is None
    enter_all(season, list(Team.objects.order_by("pk")))
    assert find_holder(season).team == team
    page = Client().get("/cups/league/")
    assert text_of(page).count("title holder") == 1
    assert [vars(title)["is_held"] for title in list_titles()] == [True]
    assert "Champion with Team 1: League" in text_of(Client().get(f"/players/{members(team)[1]}/"))
