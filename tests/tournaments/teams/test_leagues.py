"""Leagues of teams: line-ups, substitutes, missing boards, withdrawals, tables."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Q

from matches.selectors.matches import running_matches_in
from players.services.account_closures import deactivate_player
from rules_engine.values import Ending, Side
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.teams.leagues import (
    enter,
    enter_all,
    make_league,
    make_teams,
    members,
    play_round,
    rows,
    start_league,
)
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.entries.services.account_closures import finish_closing
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.team_entries import admit_team, enter_team
from tournaments.making.selectors.season_history import latest_seasons_of, seasons_of_player
from tournaments.models import (
    MAX_ROUND,
    Competition,
    CompetitionStatus,
    Entry,
    Fixture,
    Forecast,
    LineUp,
    LogEntry,
    Series,
    Team,
    Title,
)
from tournaments.models.rights import NO_RIGHTS, RIGHTS, Role
from tournaments.office.errors import NotAnOrganiser
from tournaments.office.selectors.organisers import rights_to
from tournaments.records.errors import RoundNotFound
from tournaments.rounds.errors import InvalidStages
from tournaments.running.errors import AlreadyEntered, SinglePlayersOnly, TeamsOnly
from tournaments.running.schemas import forecast_to_json
from tournaments.running.selectors.forecasts import HoldsUp, find_forecast
from tournaments.tables.selectors.records import entries_ever, past_entries, running_entries
from tournaments.teams.errors import InvalidLineUp, NotATeam, NotTheCaptain, TeamPlays
from tournaments.teams.services.members import leave_team
from tournaments.teams.services.teams import close_team, hand_over_team

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def names(fixtures: list[Fixture]) -> list[tuple[int, str, str]]:
    return [(each.board, each.yellow_name, each.red_name) for each in fixtures]


def line_up(entry: Entry, number: int, *players, actor=None, now=NOON) -> LineUp:
    actor = actor or entry.team.captain
    return set_line_up(
        entry_id=entry.pk, round_number=number, players=[each.pk for each in players], actor=actor, now=now
    )


def fixtures_of(entry: Entry) -> list[Fixture]:
    return list(Fixture.objects.filter(Q(yellow=entry) | Q(red=entry)).select_related("round").order_by("pk"))


def seated(fixture: Fixture) -> dict[int, int | None]:
    """Return who sits at a board, by the entries of the teams."""
    return {fixture.yellow_id: fixture.yellow_player_id, fixture.red_id: fixture.red_player_id}


def loser_of(fixture: Fixture) -> int:
    """Return the entry that has lost a board 5-0."""
    points = {fixture.points_yellow: fixture.yellow_id, fixture.points_red: fixture.red_id}
    assert set(points) == {0, 5}
    return points[0]


def test_everybody_has_the_match_at_their_own_board_and_the_captain_no_other():
    teams = make_teams(2, 3)
    league, _entries = start_league(teams, boards=2)
    of_each = [running_matches_in(competition_id=league.pk, player=player) for player in members(teams[0])]
    assert [[each.fixture.board for each in matches] for matches in of_each] == [[1], [2], []]
    assert {each.fixture for each in of_each[0]} <= set(verbs.running(league))


def test_boards_take_only_members_whom_no_other_team_names():
    teams = make_teams(3, 4)
    league = make_league(boards=2)
    entry = enter(league, teams[0])
    first, second, third, _fourth = members(teams[0])
    stranger = verbs.make_players(1, "stranger")[0]
    other = enter(league, teams[1])
    # A member of both teams plays for the one that names them first.
    teams[1].memberships.create(player=third, status="member", invited_at=NOON, joined_at=NOON)
    for players in ([], [first, first], [first, stranger], [first, second, third]):
        with pytest.raises(InvalidLineUp):
            line_up(entry, 1, *players)
    line_up(entry, 1, third, first)
    with pytest.raises(InvalidLineUp, match="plays for another team"):
        line_up(other, 1, third)
    with pytest.raises(NotTheCaptain):
        line_up(entry, 1, first, second, actor=second)
    single = Entry(competition=league, player=stranger, draw=1, entered_at=NOON)
    single.save()
    with pytest.raises(NotATeam):
        set_line_up(entry_id=single.pk, round_number=1, players=[first.pk], actor=first, now=NOON)


def test_a_player_whom_the_other_team_no_longer_names_or_who_has_left_it_may_play():
    teams = make_teams(2, 3)
    league = make_league(boards=2)
    entries = enter_all(league, teams)
    _first, second, third = members(teams[0])
    for player in (second, third):
        teams[1].memberships.create(player=player, status="member", invited_at=NOON, joined_at=NOON)
    # With it the order in which they were entered holds no more.
    line_up(entries[0], 1, third)
    line_up(entries[1], 1, second)
    with pytest.raises(InvalidLineUp, match="plays for another team"):
        line_up(entries[1], 1, third)
    leave_team(team_id=teams[0].pk, player=third, now=NOON)
    line_up(entries[1], 1, third, second)


def test_a_line_up_for_later_bars_a_player_from_other_teams_too():
    teams = make_teams(3, 3)
    _league, entries = start_league(teams, boards=2)
    third = members(teams[0])[2]
    teams[1].memberships.create(player=third, status="member", invited_at=NOON, joined_at=NOON)
    line_up(entries[0], 3, third)
    with pytest.raises(InvalidLineUp, match="plays for another team"):
        line_up(entries[1], 2, third)


@pytest.mark.parametrize("number", [0, MAX_ROUND + 1, 2**40])
def test_no_line_up_is_for_a_round_that_there_cannot_be(number: int):
    team = make_teams(1, 2)[0]
    entry = enter(make_league(boards=2), team)
    with pytest.raises(RoundNotFound):
        line_up(entry, number, team.captain)


def test_an_organiser_sets_the_line_up_of_a_captain_who_is_late_and_it_is_logged():
    league, entries = start_league(make_teams(4, 3), boards=2)
    third = members(entries[0].team)[2]
    line_up(entries[0], 2, third, actor=verbs.boss())
    line = LogEntry.objects.get(competition=league, action="line-up-set")
    assert line.subject == "Team 1: 2"
    play_round(league, at=NOON + DAY)
    own = [each for each in fixtures_of(entries[0]) if each.round.number == 2]
    assert {seated(each)[entries[0].pk] for each in own} == {third.pk, None}
    # The second board is missing: it is lost 5-0.
    missing = next(each for each in own if each.board == 2)
    assert (missing.ending, missing.match, sorted(missing.points)) == (Ending.FORFEIT, None, [0, 5])


def test_a_former_member_or_a_closed_account_leaves_the_board_empty():
    teams = make_teams(2, 3)
    league = make_league(boards=3, cycles=2)
    entries = enter_all(league, teams)
    verbs.start(league)
    _captain, second, third = members(teams[0])
    leave_team(team_id=teams[0].pk, player=second, now=NOON)
    deactivate_player(player_id=third.pk, now=NOON)
    finish_closing(player_id=third.pk, now=NOON)
    verbs.settle_all(NOON)
    play_round(league, at=NOON + DAY)
    assert [each.board for each in verbs.running(league)] == [1]
    lost = Fixture.objects.filter(round__number=2, match=None).order_by("board")
    assert [each.board for each in lost] == [2, 3]
    for each in lost:
        points = dict(zip((each.yellow_id, each.red_id), each.points, strict=True))
        assert (points[entries[0].pk], points[entries[1].pk]) == (0, 5)


def test_a_won_meeting_counts_2_whatever_its_boards_and_a_drawn_one_1():
    league, entries = start_league(make_teams(2, 4), boards=4)
    fixtures = verbs.running(league)
    home = fixtures[0].yellow
    # The home team wins three boards: it is Red on even ones.
    for fixture, winner in zip(fixtures, (Side.YELLOW, Side.RED, Side.YELLOW, Side.YELLOW), strict=True):
        verbs.end(fixture, winner, NOON + DAY)
    league.refresh_from_db()
    assert league.status == CompetitionStatus.FINISHED
    table = rows(league)
    first, last = table[home.team.name], next(row for name, row in table.items() if name != home.team.name)
    assert (first.place, first.points, first.played, first.won, first.values["boards"]) == (1, 2, 1, 1, "3")
    assert (last.place, last.points, last.played, last.lost, last.values["boards"]) == (2, 0, 1, 1, "1")
    assert league.winner == home
    assert len(entries) == 2
    assert str(Title.objects.get()) == f"{home.team.name}: League"
    assert verbs.faults_of(league, NOON + DAY) == []


def test_single_players_and_teams_do_not_mix():
    teams = make_teams(1, 2)
    league, alone = make_league(boards=2), verbs.make_players(1)[0]
    with pytest.raises(TeamsOnly):
        enter_competition(competition_id=league.pk, player=alone, now=NOON)
    with pytest.raises(TeamsOnly):
        verbs.admit(league, alone, verbs.boss())
    with pytest.raises(SinglePlayersOnly):
        enter_team(
            competition_id=verbs.make_cup().pk, team_id=teams[0].pk, players=[], actor=teams[0].captain, now=NOON
        )
    with pytest.raises(NotTheCaptain):
        enter_team(competition_id=league.pk, team_id=teams[0].pk, players=[], actor=alone, now=NOON)
    enter(league, teams[0])
    with pytest.raises(AlreadyEntered):
        enter(league, teams[0])


def test_an_organiser_enters_a_team_past_a_password():
    team = make_teams(1, 2)[0]
    league = make_league(boards=2, max_entrants=2, password="md5$hash")
    entry = admit_team(
        competition_id=league.pk, team_id=team.pk, players=[team.captain_id], actor=verbs.boss(), now=NOON
    )
    assert (str(entry), entry.player) == ("Team 1", team.captain)


def test_a_captain_who_was_handed_a_team_that_has_joined_enters_no_second_one():
    one, other = make_teams(2, 2)
    league = make_league(boards=2)
    enter(league, one)
    Team.objects.filter(pk=one.pk).update(captain=other.captain)
    with pytest.raises(AlreadyEntered):
        enter(league, other)


def test_a_line_up_is_named_for_no_round_that_may_never_come():
    team = make_teams(1, 2)[0]
    entry = enter(make_league(boards=2), team)
    given: dict[str, Any] = {"entry_id": entry.pk, "players": [team.captain_id], "actor": team.captain, "now": NOON}
    assert set_line_up(round_number=1, **given).round_number == 1
    with pytest.raises(RoundNotFound):
        set_line_up(round_number=2, **given)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"format": "double-elimination"}, "format"),
        ({"format": "swiss"}, "format"),
        ({"round_days": None}, "round_days"),
        ({"grouping": {"size": 3}, "advance": None}, "grouping"),
        ({"late_entry": True}, "late_entry"),
        ({"tiebreaks": ["rating", "draw"]}, "tiebreaks"),
    ],
)
def test_teams_play_one_round_robin_round_by_round(options: dict, option: str):
    usual = {"format": "round-robin", "tiebreaks": [], "round_days": 7, "boards": 4}
    with pytest.raises(InvalidStages) as refused:
        verbs.make_cup(**(usual | options))
    assert option in refused.value.fields


def test_tie_breaks_of_teams_are_refused_for_single_players():
    with pytest.raises(InvalidStages) as refused:
        verbs.make_cup(format="round-robin", tiebreaks=["match-points", "draw"])
    assert set(refused.value.fields) == {"tiebreaks"}


def test_a_captain_withdraws_the_team_and_played_results_stand():
    league, entries = start_league(make_teams(4, 2), boards=2)
    play_round(league, at=NOON + DAY)
    verbs.withdraw(entries[0], entries[0].team.captain, NOON + 2 * DAY)
    own = [
        each for each in Fixture.objects.filter(competition=league) if entries[0].pk in {each.yellow_id, each.red_id}
    ]
    assert [each.ending for each in own if each.round.number == 1] == [Ending.ADJUDICATION] * 2
    assert [each.ending for each in own if each.round.number > 1] == [Ending.FORFEIT] * 4
    assert {loser_of(each) for each in own if each.round.number > 1} == {entries[0].pk}
    verbs.recompute_tables(competition_id=league.pk, now=NOON + 2 * DAY)
    assert verbs.faults_of(league, NOON + 2 * DAY) == []


def test_a_withdrawal_is_taken_back_with_those_who_would_have_sat_there():
    league, entries = start_league(make_teams(4, 2), boards=2)
    verbs.withdraw(entries[0])
    play_round(league, at=NOON + DAY)
    verbs.undo_withdrawal(entries[0], verbs.boss(), NOON + DAY)
    going_on = {name for each in verbs.running(league) for name in (each.yellow_name, each.red_name)}
    assert {each.username for each in members(entries[0].team)} <= going_on
    while play_round(league, at=NOON + 2 * DAY):
        pass
    league.refresh_from_db()
    assert league.status == CompetitionStatus.FINISHED
    verbs.recompute_tables(competition_id=league.pk, now=NOON + 2 * DAY)
    assert verbs.faults_of(league, NOON + 2 * DAY) == []


def test_single_boards_are_adjudicated_annulled_and_replayed():
    league, _entries = start_league(make_teams(2, 3), boards=3)
    first, second, third = verbs.running(league)
    organiser = verbs.boss()
    verbs.adjudicate(first, Side.YELLOW, organiser)
    assert LogEntry.objects.get(action="adjudicated").subject == f"{first}: {first.yellow_name}"
    verbs.end(second, Side.RED, NOON)
    again = verbs.replay(second, organiser)
    assert (again.board, again.yellow_name, again.red_name) == (2, second.yellow_name, second.red_name)
    assert again.match.yellow.username == second.yellow_name
    take_back_decision(fixture_id=first.pk, actor=organiser, reason="No.", now=NOON, confirm=True)
    verbs.annul(third, organiser, reason="Never.")
    assert [each.board for each in verbs.running(league)] == [1, 2]
    verbs.end_all(league)
    verbs.recompute_tables(competition_id=league.pk, now=NOON)
    assert {row.played for row in rows(league).values()} == {1}
    league.refresh_from_db()
    assert verbs.faults_of(league) == []


def test_a_missing_board_that_is_played_again_is_missing_again_and_holds_up_nothing():
    teams = make_teams(2, 2)
    league = make_league(boards=2)
    for team, count in zip(teams, (2, 1), strict=True):
        enter(league, team, count=count)
    verbs.start(league)
    lost = Fixture.objects.get(competition=league, board=2)
    again = verbs.replay(lost, verbs.boss())
    assert (again.match, again.ending, sorted(again.points)) == (None, Ending.FORFEIT, [0, 5])
    verbs.end(verbs.running(league)[0], Side.YELLOW, NOON + DAY)
    league.refresh_from_db()
    assert league.status == CompetitionStatus.FINISHED


def test_a_start_is_taken_back_and_the_same_teams_meet_at_the_same_boards():
    league, _entries = start_league(make_teams(4, 2), boards=2)
    before = names(verbs.running(league))
    verbs.undo_start(league, verbs.boss())
    verbs.start(league)
    assert names(verbs.running(league)) == before
    verbs.recompute_tables(competition_id=league.pk, now=NOON)
    assert verbs.faults_of(league) == []


def test_a_closed_account_of_a_captain_does_not_withdraw_the_team_but_that_of_its_last_member_does():
    teams = make_teams(2, 2)
    league, entries = start_league(teams, boards=2)
    captain, other = members(teams[0])
    deactivate_player(player_id=captain.pk, now=NOON)
    finish_closing(player_id=captain.pk, now=NOON)
    entries[0].refresh_from_db()
    teams[0].refresh_from_db()
    assert (entries[0].is_in, teams[0].captain) == (True, other)
    deactivate_player(player_id=other.pk, now=NOON)
    finish_closing(player_id=other.pk, now=NOON)
    entries[0].refresh_from_db()
    assert not entries[0].is_in
    league.refresh_from_db()
    assert league.status == CompetitionStatus.FINISHED


def test_a_new_captain_lines_up_and_withdraws_and_a_team_that_plays_is_not_closed():
    teams = make_teams(2, 3)
    _league, entries = start_league(teams, boards=2, cycles=2)
    captain, second, third = members(teams[0])
    with pytest.raises(TeamPlays):
        close_team(team_id=teams[0].pk, actor=captain, now=NOON)
    hand_over_team(team_id=teams[0].pk, player=second, actor=captain, now=NOON)
    with pytest.raises(NotTheCaptain):
        line_up(entries[0], 2, third, actor=captain)
    line_up(entries[0], 2, third, actor=second)
    verbs.withdraw(entries[0], second)
    assert close_team(team_id=teams[0].pk, actor=second, now=NOON).closed_at == NOON


def test_results_of_a_team_are_none_of_its_captain_who_plays_in_the_league_as_long_as_they_lead_the_team(client):
    teams = make_teams(2, 3)
    league, _entries = start_league(teams, boards=2)
    Competition.objects.filter(pk=league.pk).update(
        series=Series.objects.create(name="Leagues", slug="leagues", rhythm="monthly", anchor=NOON, created_at=NOON),
        season=1,
    )
    captain, second, _third = members(teams[0])
    assert [each.team for each in running_entries(captain)] == [teams[0]]
    hand_over_team(team_id=teams[0].pk, player=second, actor=captain, now=NOON)
    assert running_entries(captain) == []
    assert [each.team for each in running_entries(second)] == [teams[0]]
    play_round(league, at=NOON + DAY)
    league.refresh_from_db()
    assert league.status == CompetitionStatus.FINISHED
    for player in (captain, second):
        assert (past_entries(player), list(entries_ever(player)), latest_seasons_of(player)) == ([], [], [])
    assert seasons_of_player(league.series, captain) == []
    page = client.get(league.series.get_absolute_url())
    assert "history" not in page.context
    assert "This series is for teams. See the tables on the pages of the seasons." in text_of(page)


def test_the_page_that_deletes_an_account_names_no_league_in_which_the_team_plays_on(client):
    teams = make_teams(2, 2)
    start_league(teams, boards=2)
    client.force_login(teams[0].captain)
    page = client.get("/profile/delete/").content.decode()
    assert f"1 team is left, and closed if nobody else is in it: {teams[0]}." in page
    assert "cup is left" not in page


def test_a_helper_decides_no_board_of_a_team_that_they_are_in():
    teams = make_teams(4, 3)
    league, entries = start_league(teams, boards=2)
    captain, substitute = members(teams[0])[0], members(teams[0])[2]
    boards = {each: each.yellow_id == entries[0].pk or each.red_id == entries[0].pk for each in verbs.running(league)}
    assert sorted(boards.values()) == [False, False, True, True]
    for helper in (captain, substitute):
        league.helpers.add(helper)
        for board, is_own in boards.items():
            rights = rights_to(subject=board, player=helper, rights=RIGHTS[Role.HELPER])
            assert (rights == NO_RIGHTS) == is_own
    # Organisers decide whatever they like.
    own = next(board for board, is_own in boards.items() if is_own)
    assert rights_to(subject=own, player=captain, rights=RIGHTS[Role.ORGANISER]) == RIGHTS[Role.ORGANISER]
    with pytest.raises(NotAnOrganiser, match="You play"):
        verbs.adjudicate(own, Side.RED, substitute)
    leave_team(team_id=teams[0].pk, player=substitute, now=NOON)
    verbs.adjudicate(own, Side.RED, substitute)


def test_a_forecast_names_who_sits_at_the_board_that_takes_longest():
    league, _entries = start_league(make_teams(2, 3), boards=2)
    second = verbs.running(league)[1]
    ends = {f"stage_{name}": NOON + DAY for name in ("early", "likely", "late")}
    holds_up = [[second.match_id, second.red_id]]
    Forecast.objects.create(competition=league, made_at=NOON, due_at=NOON, holds_up=holds_up, **ends)
    shown = find_forecast(Competition.objects.get(pk=league.pk))
    assert shown.holds_up == (HoldsUp(second.match_id, second.red_player.username, second.yellow_player.username),)
    assert forecast_to_json(shown)["holds_up"] == [{"match": second.match_id, "player": second.red_name}]
