"""News of a team reaches its captain of now and those who sit at its boards, and nobody who has left."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from players.models import Delivery, Player
from players.services.account_closures import deactivate_player
from rules_engine.values import Side
from tests.tournaments.teams.leagues import (
    enter,
    enter_all,
    make_league,
    make_teams,
    members,
    play_round,
    reach,
    start_league,
)
from tests.tournaments.verbs import NOON, cancel, end, leave, running, start, withdraw
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import announce
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.decisions.services.undo.ends import take_back_end
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.desk.acts import COMPETITION, acts_on
from tournaments.desk.selectors import Decision, organised_now
from tournaments.entries.errors import CheckInNotOpen
from tournaments.entries.services.account_closures import finish_closing
from tournaments.entries.services.check_ins import open_check_in
from tournaments.entries.services.line_ups import set_line_up
from tournaments.making.errors import InvalidCompetition
from tournaments.making.services.drafts import check_draft
from tournaments.models import Competition, Cup, Entry, LogEntry, Round, RoundEnd, Team
from tournaments.models.rights import RIGHTS, Role
from tournaments.office.selectors.changes import logged_changes
from tournaments.running.services.news import log_news
from tournaments.running.services.notifications import send_news
from tournaments.teams.services.members import leave_team
from tournaments.teams.services.teams import close_team, hand_over_team

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def olga() -> Player:
    return Player.objects.create(username="olga", email="olga@example.org", email_confirmed_at=NOON)


def organised(league: Cup, organiser: Player) -> Cup:
    league.organisers.add(organiser)
    return league


def hand_over(team: Team) -> Player:
    """Make the second member the captain and return them; who was it stays a member."""
    captain, second, *_others = members(team)
    hand_over_team(team_id=team.pk, player=second, actor=captain, now=NOON)
    return second


def told_of(action: str) -> set[str]:
    """Return whom the only line about an action names."""
    return {each.username for each in LogEntry.objects.get(action=action).concerns.all()}


def close_account(player: Player) -> None:
    deactivate_player(player_id=player.pk, now=NOON)
    finish_closing(player_id=player.pk, now=NOON)


def test_taking_back_an_end_withdraws_no_team_whose_first_captain_has_closed_the_account(olga: Player):
    teams = make_teams(2, 3)
    league, entries = start_league(teams, boards=2, cycles=2)
    organised(league, olga)
    cancel(league, olga)
    close_account(members(teams[0])[0])
    take_back_end(competition_id=league.pk, actor=olga, reason="Go on.", now=NOON + DAY)
    assert Entry.objects.get(pk=entries[0].pk).is_in
    (shown,) = organised_now(player=olga, now=NOON + DAY)
    assert Decision.CLOSED_ACCOUNTS not in shown.decisions


def test_taking_back_an_end_withdraws_a_team_that_was_closed_meanwhile(olga: Player):
    teams = make_teams(3, 2)
    league, entries = start_league(teams, boards=2)
    organised(league, olga)
    cancel(league, olga)
    close_team(team_id=teams[0].pk, actor=teams[0].captain, now=NOON)
    take_back_end(competition_id=league.pk, actor=olga, reason="Go on.", now=NOON + DAY)
    assert [Entry.objects.get(pk=each.pk).is_in for each in entries] == [False, True, True]
    assert LogEntry.objects.get(action="withdrew").reason == "The team has been closed."


def test_teams_do_not_check_in(olga: Player):
    league = organised(make_league(boards=2), olga)
    enter(league, make_teams(1, 2)[0])
    with pytest.raises(CheckInNotOpen, match="Teams"):
        open_check_in(competition_id=league.pk, actor=olga, now=NOON)
    offered = {act.name for act in acts_on(COMPETITION, league, league, RIGHTS[Role.ORGANISER])}
    assert "start" in offered
    assert "open-check-in" not in offered
    league.check_in_minutes = 30
    with pytest.raises(InvalidCompetition) as refused:
        check_draft(competition=league, stages=league.all_stages, now=NOON)
    assert refused.value.fields["check_in_minutes"] == ["Teams do not check in: their captains choose who plays."]
    for stored in ({"check_in_minutes": 30}, {"check_in_opened_at": NOON}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Competition.objects.filter(pk=league.pk).update(**stored)


def test_the_form_of_a_league_of_teams_asks_for_no_minutes_of_a_check_in(olga: Player, client):
    league = organised(make_league(boards=2), olga)
    client.force_login(olga)
    page = client.get(f"/cups/{league.slug}/organise/edit/").content.decode()
    assert 'name="starts_at' in page
    assert 'name="check_in_minutes"' not in page


def test_the_reminder_and_the_end_of_a_round_are_heard_of_by_who_sits_at_open_boards(olga: Player):
    teams = make_teams(2, 3)
    league = organised(make_league(boards=2, cycles=2), olga)
    for team, entry in zip(teams, enter_all(league, teams), strict=True):
        # The captains sit this round out.
        line_up = [each.pk for each in members(team)[1:]]
        set_line_up(entry_id=entry.pk, round_number=1, players=line_up, actor=team.captain, now=NOON)
    start(league)
    first, second = running(league)
    end(first, Side.YELLOW)
    log_news(now=NOON + 6 * DAY)
    assert told_of("round-ending") == {second.yellow_name, second.red_name}
    round_ = Round.objects.get(group__stage__competition=league, number=1)
    end_round(round=round_, policy=RoundEnd.FORFEIT, actor=olga, reason="", now=NOON + 6 * DAY)
    assert told_of("round-cut-short") == {second.yellow_name, second.red_name}
    round_.refresh_from_db()
    take_back_round_end(round=round_, confirm=True, actor=olga, reason="Go on.", now=NOON + 6 * DAY)
    assert told_of("round-end-undone") == {second.yellow_name, second.red_name}


def test_players_at_a_board_hear_when_a_decision_about_it_is_taken_back(olga: Player):
    teams = make_teams(2, 3)
    league = organised(start_league(teams, boards=2)[0], olga)
    board = running(league)[1]
    players = {board.yellow_name, board.red_name}
    assert players == {members(team)[1].username for team in teams}
    why: dict[str, Any] = {"actor": olga, "reason": "Wrong.", "now": NOON}
    adjudicate_fixture(fixture_id=board.pk, winner=Side.RED, **why)
    take_back_decision(fixture_id=board.pk, confirm=True, **why)
    annul_fixture(fixture_id=board.pk, **why)
    take_back_annulment(fixture_id=board.pk, confirm=True, **why)
    replay_fixture(fixture_id=board.pk, **why)
    take_back_replay(fixture_id=board.pk, confirm=True, **why)
    for action in ("decision-undone", "annulment-undone", "replay-undone"):
        assert told_of(action) == players


def test_captains_hear_when_a_decision_about_a_board_where_nobody_sits_is_taken_back(olga: Player):
    teams = make_teams(2, 2)
    league = organised(make_league(boards=2), olga)
    enter_all(league, teams, count=1)
    start(league)
    empty = league.fixtures.get(board=2)
    captain = hand_over(teams[0])
    take_back_decision(fixture_id=empty.pk, confirm=True, actor=olga, reason="Wrong.", now=NOON)
    assert told_of("decision-undone") == {captain.username, teams[1].captain.username}


def test_the_present_captain_is_told_what_concerns_the_team(olga: Player):
    teams = make_teams(3, 3)
    league, entries = start_league(teams, boards=2)
    organised(league, olga)
    captain = hand_over(teams[0])
    withdraw(entries[0], olga)
    assert told_of("withdrew") == {captain.username}


@pytest.mark.parametrize("begun", [False, True])
def test_the_log_names_the_present_captain_when_a_team_leaves(begun: bool):
    teams = make_teams(3, 3)
    league = make_league(boards=2)
    entries = enter_all(league, teams)
    captain = hand_over(teams[0])
    if begun:
        start(league)
    leave(entries[0])
    line = LogEntry.objects.get(action="withdrew" if begun else "departed")
    assert line.actor == captain


def hearers_of_announcement(league: Cup, organiser: Player) -> set[str]:
    """Return who gets a mail of an announcement, which are those who get it on their streams."""
    send_news(now=NOON + DAY)
    Delivery.objects.all().delete()
    line = announce(competition_id=league.pk, actor=organiser, text="Have fun!", now=NOON + DAY)
    send_news(now=NOON + DAY)
    told = Delivery.objects.filter(kind="competition")
    names = [each.player.username for each in told if each.about["lines"]]
    (change,) = logged_changes(ids=[line.pk])
    streamed = [Player.objects.get(pk=key).username for key in change.players]
    assert sorted(streamed) == sorted(names)
    assert len(names) == len({*names})
    for player in Player.objects.exclude(pk=organiser.pk):
        own = logged_changes(ids=[line.pk], player_id=player.pk)
        assert [each.players for each in own] == ([(player.pk,)] if player.username in names else [])
    return {*names}


def test_news_are_heard_of_by_captains_and_by_members_who_sit_or_have_sat_at_boards(olga: Player):
    teams = make_teams(3, 4)
    league = organised(make_league(boards=2, cycles=2), olga)
    everybody = [player for team in teams for player in members(team)]
    reach(*everybody)
    entries = enter_all(league, teams)
    new_captain = hand_over(teams[0])
    assert hearers_of_announcement(league, olga) == {new_captain.username, *(str(each.captain) for each in teams[1:])}
    start(league)
    for number in range(3):
        play_round(league, at=NOON + number * timedelta(hours=1))
    seated = {player.username for team in teams for player in members(team)[:2]}
    assert hearers_of_announcement(league, olga) == seated
    # A player who leaves the team hears no more of it, and nobody does of a team that is out.
    leave_team(team_id=teams[0].pk, player=members(teams[0])[0], now=NOON)
    withdraw(entries[2], olga, NOON + DAY)
    gone = {"team-1-1", *(player.username for player in members(teams[2]))}
    assert hearers_of_announcement(league, olga) == seated - gone


def test_a_captain_who_sits_at_no_board_hears_of_news(olga: Player):
    teams = make_teams(2, 4)
    league, _entries = start_league(teams, boards=2)
    organised(league, olga)
    reach(*[player for team in teams for player in members(team)])
    last = members(teams[0])[3]
    hand_over_team(team_id=teams[0].pk, player=last, actor=members(teams[0])[0], now=NOON)
    assert last.username in hearers_of_announcement(league, olga)
