"""Knock-outs of teams: line-ups, missing boards, level ties, legs, byes, withdrawals, and what organisers take back."""

from datetime import timedelta
from typing import Any

import pytest

from formats.pairing.legs import Decider
from matches.services.adjudication import adjudicate_match
from players.models import Player
from rules_engine.values import Ending, Side
from tests.tournaments import verbs
from tests.tournaments.teams.cups import boards_of, end_board, let_win, make_team_cup, start_team_cup, tie_of
from tests.tournaments.teams.leagues import enter, enter_all, make_teams, members
from tests.tournaments.verbs import NOON
from tournaments.decisions.errors import TieNeedsResult
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.entries.services.line_ups import set_line_up
from tournaments.models import CompetitionStatus, Cup, Entry, Fixture, Standing
from tournaments.rounds.errors import InvalidStages, MatchesWouldBeLost
from tournaments.rounds.services.draws import keep_draw, preview_draw
from tournaments.running.selectors.forecasts import look_ahead
from tournaments.running.services.settlement import settle_finished
from tournaments.teams.errors import InvalidLineUp, LineUpClosed
from tournaments.teams.selectors.line_ups import coming_line_up_rounds

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def line_up(entry: Entry, number: int, *players: Player, now: Any = NOON) -> None:
    keys = [each.pk for each in players]
    set_line_up(entry_id=entry.pk, round_number=number, players=keys, actor=entry.team.captain, now=now)


def places(cup: Cup) -> dict[str, int | None]:
    rows = Standing.objects.filter(group__stage__competition=cup).select_related("seat__entry__team")
    return {row.seat.entry.name: row.place for row in rows}


def check(cup: Cup, *, is_over: bool = True) -> None:
    """Everything that is stored follows from the results."""
    cup.refresh_from_db()
    assert verbs.faults_of(cup, NOON + 60 * DAY) == []
    assert (cup.status == CompetitionStatus.FINISHED) is is_over


def test_two_teams_meet_at_all_boards_and_the_home_team_is_yellow_on_odd_ones() -> None:
    teams = make_teams(2, 3)
    cup, (first, second) = start_team_cup(teams, boards=3)
    fixtures = boards_of(tie_of(first, second))
    assert [each.board for each in fixtures] == [1, 2, 3]
    assert {each.leg for each in fixtures} == {1}
    home, guests = fixtures[0].yellow, fixtures[0].red
    assert [(each.yellow, each.red) for each in fixtures] == [(home, guests), (guests, home), (home, guests)]
    own, others = members(home.team), members(guests.team)
    assert [(each.yellow_player, each.red_player) for each in fixtures] == [
        (own[0], others[0]),
        (others[1], own[1]),
        (own[2], others[2]),
    ]
    assert [each.match.yellow_id for each in fixtures] == [each.yellow_player_id for each in fixtures]
    check(cup, is_over=False)


def test_in_two_legs_the_same_players_meet_with_sides_swapped() -> None:
    cup, (first, second) = start_team_cup(make_teams(2, 2), legs=2)
    fixtures = boards_of(tie_of(first, second))
    assert [(each.leg, each.board, each.yellow) for each in fixtures] == [
        (1, 1, first),
        (1, 2, second),
        (2, 1, second),
        (2, 2, first),
    ]
    pairs = [{each.yellow_player_id, each.red_player_id} for each in fixtures]
    assert (pairs[0], pairs[1]) == (pairs[2], pairs[3])
    # The first leg is lost 5 : 0 and drawn, the second won 5 : 0 twice: 12 : 7.
    for fixture, winner in zip(fixtures, (second, None, first, first), strict=True):
        end_board(fixture, winner, NOON + DAY)
    tie = tie_of(first, second)
    assert (tie.winner, tie.decided_by) == (first, Decider.POINTS)
    check(cup)


def test_a_missing_board_is_lost_and_a_team_without_players_loses_its_tie_at_once() -> None:
    teams = make_teams(2, 2)
    cup = make_team_cup()
    entries = [enter(cup, teams[0]), enter(cup, teams[1], count=1)]
    verbs.start(cup)
    one, two = boards_of(tie_of(*entries))
    assert (one.match_id is not None, two.match_id, two.ending) == (True, None, Ending.FORFEIT)
    assert sorted(two.points) == [0, 5]
    end_board(one, entries[1], NOON + DAY)
    assert tie_of(*entries).decided_by == Decider.SEED
    check(cup)


def test_a_tie_of_two_teams_without_players_goes_to_nobody_and_the_next_one_has_a_bye() -> None:
    cup = make_team_cup()
    teams = make_teams(4, 3)
    entries = enter_all(cup, teams, count=1)
    for team in (teams[0], teams[3]):
        named = members(team)[0]
        Player.objects.filter(pk=named.pk).update(is_active=False)
    draw = preview_draw(competition=cup, seed=1, order=[entry.pk for entry in entries])
    keep_draw(competition=cup, draw=draw, actor=None, now=NOON)
    verbs.start(cup)
    tie = tie_of(entries[0], entries[3])
    assert (tie.winner, tie.decided_by) == (None, Decider.NEITHER)
    let_win(cup, entries[1], at=NOON + DAY)
    check(cup)
    assert cup.winner == entries[1]


def test_a_team_that_plays_on_names_line_ups_and_one_that_is_out_names_none() -> None:
    teams = make_teams(5, 4)
    cup, entries = start_team_cup(teams, third_place=True)
    # 4 and 5 meet in round 1; the others have byes and stand in round 2.
    assert [coming_line_up_rounds(each) for each in entries] == [[2, 3]] * 3 + [[2, 3]] * 2
    own = members(teams[0])
    line_up(entries[0], 2, own[2], own[3])
    with pytest.raises(LineUpClosed):
        line_up(entries[0], 1, own[2])
    let_win(cup, entries[4], at=NOON + DAY)
    assert [coming_line_up_rounds(each) for each in entries] == [[3], [3], [3], [], [3]]
    with pytest.raises(LineUpClosed, match="does not play in round 3"):
        line_up(entries[3], 3, members(teams[3])[0])
    seated = [
        player for each in boards_of(tie_of(entries[0], entries[4])) for player in (each.yellow_player, each.red_player)
    ]
    assert {own[2], own[3]} <= set(seated)
    # Without a line-up the last one holds.
    let_win(cup, entries[0], entries[1], at=NOON + 2 * DAY)
    final = boards_of(tie_of(entries[0], entries[1]))
    assert {own[2].pk, own[3].pk} <= {key for each in final for key in each.player_ids}
    # The losers of the semi-finals play for third place in the same round.
    third = boards_of(tie_of(entries[2], entries[4]))
    assert [each.round.number for each in (*final, *third)] == [3] * 4
    let_win(cup, entries[1], entries[4], at=NOON + 3 * DAY)
    assert places(cup) == {"Team 2": 1, "Team 1": 2, "Team 5": 3, "Team 3": 4, "Team 4": 5}
    check(cup)


def test_a_player_who_did_not_sit_for_a_team_that_is_out_can_sit_for_another() -> None:
    teams = make_teams(4, 4)
    cup, entries = start_team_cup(teams)
    captain, *_others, substitute = members(teams[3])
    teams[0].memberships.create(player=captain, status="member", invited_at=NOON, joined_at=NOON)
    teams[0].memberships.create(player=substitute, status="member", invited_at=NOON, joined_at=NOON)
    line_up(entries[3], 2, captain, substitute)
    with pytest.raises(InvalidLineUp, match="plays for another team"):
        line_up(entries[0], 2, substitute)
    for fixture in boards_of(tie_of(entries[0], entries[3])):
        end_board(fixture, entries[0], NOON + DAY)
    line_up(entries[0], 2, substitute)
    with pytest.raises(InvalidLineUp, match=f"{captain} plays for another team"):
        line_up(entries[0], 2, captain)
    let_win(cup, entries[1], at=NOON + DAY)
    final = boards_of(tie_of(entries[0], entries[1]))
    assert substitute.pk in final[0].player_ids
    assert captain.pk not in {key for each in final for key in each.player_ids}


def test_a_cup_of_6_teams_of_4_boards_is_played_to_the_end() -> None:
    """With substitutes, line-ups that are missed, a board that nobody mans, and a team that withdraws."""
    teams = make_teams(6, 6)
    cup, entries = start_team_cup(teams, boards=4, third_place=True)
    assert len(verbs.running(cup)) == 2 * 4
    for entry in entries[:2]:
        own = members(entry.team)
        line_up(entry, 2, own[5], own[4], own[3])
    # 4 meets 5 and 3 meets 6.
    assert let_win(cup, entries[3], entries[2], at=NOON + DAY) == 8
    # The last board of two teams is empty: both lose it.
    assert len(verbs.running(cup)) == 2 * 3
    lost = Fixture.objects.filter(round__number=2, match=None)
    assert {(each.board, each.ending) for each in lost} == {(4, Ending.FORFEIT)}
    assert all(sorted(each.points) == [0, 5] for each in lost)
    verbs.withdraw(entries[3], teams[3].captain, NOON + 2 * DAY, reason="Holidays.")
    tie = tie_of(entries[0], entries[3])
    assert (tie.winner, tie.decided_by) == (entries[0], Decider.WITHDRAWAL)
    let_win(cup, entries[2], at=NOON + 3 * DAY)
    # A team that has withdrawn does not play for third place, so nobody waits for that.
    assert tie_of(entries[1], entries[3]).winner == entries[1]
    let_win(cup, entries[2], at=NOON + 4 * DAY)
    check(cup)
    assert cup.winner == entries[2]
    assert places(cup) == {"Team 3": 1, "Team 1": 2, "Team 2": 3, "Team 4": 4, "Team 5": 5, "Team 6": 5}
    # Each meeting counts once in the sums: three of them, one in each round.
    first = Standing.objects.get(seat__entry=entries[2])
    assert (first.played, first.won, first.drawn, first.lost) == (3, 3, 0, 0)


def test_a_team_that_had_won_when_withdrawing_has_won_whenever_results_are_settled() -> None:
    cup, entries = start_team_cup(make_teams(4, 2))
    for fixture in verbs.running(cup):
        winner = entries[0] if entries[0] in (fixture.yellow, fixture.red) else entries[1]
        side = Side.YELLOW if fixture.yellow == winner else Side.RED
        adjudicate_match(match_id=fixture.match_id, winner=side, now=NOON + DAY)
    # Nothing has been settled yet; the withdrawal comes a second later.
    verbs.withdraw(entries[0], now=NOON + DAY + timedelta(seconds=1))
    assert tie_of(entries[0], entries[3]).winner == entries[0]
    final = tie_of(entries[0], entries[1])
    assert (final.winner, final.decided_by) == (entries[1], Decider.WITHDRAWAL)
    settle_finished(now=NOON + DAY + timedelta(seconds=2))
    check(cup)


def test_a_decision_is_taken_back_along_the_bracket() -> None:
    teams = make_teams(4, 3)
    cup, entries = start_team_cup(teams)
    organiser = verbs.boss()
    fixtures = boards_of(tie_of(entries[0], entries[3]))
    for fixture in fixtures:
        winner = Side.YELLOW if fixture.yellow == entries[3] else Side.RED
        verbs.adjudicate(fixture, winner, organiser, NOON + DAY)
    verbs.settle_all(NOON + DAY)
    for fixture in boards_of(tie_of(entries[1], entries[2])):
        end_board(fixture, entries[1], NOON + DAY)
    final = tie_of(entries[3], entries[1])
    assert len(boards_of(final)) == 2
    take_back_decision(fixture_id=fixtures[1].pk, actor=organiser, reason="No.", now=NOON + 2 * DAY, confirm=False)
    final.refresh_from_db()
    assert entries[3].pk not in (final.first_id, final.second_id)
    assert boards_of(final) == []
    assert [each.board for each in verbs.running(cup)] == [2]
    check(cup, is_over=False)
    # The other board stands as it was decided: with this one the higher seed is level.
    end_board(verbs.running(cup)[0], entries[0], NOON + 3 * DAY)
    assert tie_of(entries[0], entries[3]).decided_by == Decider.SEED
    # The boards of the final are manned anew.
    line_up_now = boards_of(tie_of(entries[0], entries[1]))
    assert {each.pk for each in members(teams[0])[:2]} <= {key for each in line_up_now for key in each.player_ids}
    let_win(cup, entries[0], at=NOON + 4 * DAY)
    check(cup)


def test_no_tie_is_decided_by_the_boards_that_were_over_when_a_cup_was_cancelled() -> None:
    cup, (first, _second) = start_team_cup(make_teams(2, 2), 2)
    end_board(verbs.running(cup)[0], first, NOON)
    verbs.cancel(cup, now=NOON)
    assert verbs.faults_of(cup, now=NOON) == []


def test_one_board_is_played_again_and_none_is_annulled() -> None:
    cup, entries = start_team_cup(make_teams(4, 2))
    organiser = verbs.boss()
    fixtures = boards_of(tie_of(entries[0], entries[3]))
    with pytest.raises(TieNeedsResult):
        verbs.annul(fixtures[0], organiser)
    let_win(cup, entries[0], entries[1], at=NOON + DAY)
    final = boards_of(tie_of(entries[0], entries[1]))
    verbs.move_in(final[0], NOON + DAY)
    with pytest.raises(MatchesWouldBeLost):
        verbs.replay(fixtures[1], organiser, NOON + 2 * DAY)
    again = verbs.replay(fixtures[1], organiser, NOON + 2 * DAY, confirm=True)
    assert (again.board, again.leg, again.tie_id) == (2, 1, fixtures[1].tie_id)
    assert [each.pk for each in verbs.running(cup)] == [again.pk]
    check(cup, is_over=False)
    let_win(cup, entries[3], at=NOON + 3 * DAY)
    assert tie_of(entries[0], entries[3]).decided_by == Decider.SEED
    let_win(cup, entries[1], at=NOON + 4 * DAY)
    check(cup)
    assert cup.winner == entries[1]


def test_a_round_that_is_over_ends_boards_that_nobody_began_for_nothing() -> None:
    cup, entries = start_team_cup(make_teams(4, 2), at_round_end="adjudicate")
    for fixture in boards_of(tie_of(entries[1], entries[2])):
        end_board(fixture, entries[1], NOON + DAY)
    end_due_rounds(now=NOON + 8 * DAY)
    settle_finished(now=NOON + 8 * DAY)
    tie = tie_of(entries[0], entries[3])
    assert (tie.winner, tie.decided_by) == (None, Decider.NEITHER)
    check(cup)
    assert cup.winner == entries[1]


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"replays": 1}, "replays"),
        ({"seeding": "rating"}, "seeding"),
        ({"seeding": "season"}, "seeding"),
        ({"round_days": None}, "round_days"),
        ({"format": "double-elimination"}, "format"),
        ({"format": "swiss"}, "format"),
        ({"grouping": {"groups": 2}}, "grouping"),
        ({"advance": {"first": 2}, "later": [{"format": "knock-out"}]}, "format"),
    ],
)
def test_options_that_do_not_suit_teams_are_refused(options: dict[str, Any], option: str) -> None:
    usual = {"format": "knock-out", "tiebreaks": [], "seeding": "draw", "legs": 1, "replays": 0, "round_days": 7}
    with pytest.raises(InvalidStages) as refused:
        verbs.make_cup(**(usual | {"boards": 4} | options))
    assert option in refused.value.fields
    assert not Cup.objects.exists()


def test_a_forecast_counts_all_boards_of_the_ties_to_come() -> None:
    cup, _entries = start_team_cup(make_teams(4, 3), boards=3, legs=2)
    ((semis, final),) = look_ahead(cup, NOON).groups
    assert (len(semis.open), semis.to_come, final.to_come) == (2 * 2 * 3, 0, 2 * 3)
