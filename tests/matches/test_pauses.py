"""Pauses: the clocks of a competition stand still, and run on with what they held."""

from datetime import timedelta
from typing import Any

import pytest

from matches.clock import CORRESPONDENCE, DAY, TimeControl
from matches.errors import MatchPaused
from matches.models import Match
from matches.selectors.computers import matches_waiting_for_computers
from matches.services import expire_due, give_days, pause_matches, play_move, resign, resume_matches
from matches.services.adjudication import forfeit_matches
from matches.services.extensions import extend_bank
from players.models import Player
from players.services import ensure_computer, plan_vacation
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, begin_match, reread

pytestmark = pytest.mark.usefixtures("borne_out")

HOUR = timedelta(hours=1)
MOVE = 7
DEADLINE = NOON + CORRESPONDENCE.bank


@pytest.fixture
def match(anna, piotr):
    return start(anna, piotr)


def start(yellow: Player, red: Player, competition: int | None = MOVE, **options: Any) -> Match:
    return begin_match(yellow, red, competition=competition, **options)


def test_while_the_clocks_stand_still_nobody_moves_or_loses_on_time(match, anna):
    assert pause_matches(competition=MOVE, now=NOON + HOUR) == 1
    with pytest.raises(MatchPaused):
        play_move(match_id=match.pk, player=anna, ply=0, text=YELLOW_SET_UP, now=NOON + 2 * HOUR)
    assert expire_due(now=NOON + timedelta(days=99)) == 0


def test_the_deadline_is_later_by_the_length_of_the_pause(match, anna):
    pause_matches(competition=MOVE, now=NOON + HOUR)
    assert resume_matches(competition=MOVE, now=NOON + 101 * HOUR) == 1
    assert reread(match).deadline == DEADLINE + 100 * HOUR
    played = play_move(match_id=match.pk, player=anna, ply=0, text=YELLOW_SET_UP, now=NOON + 103 * HOUR)
    assert played.move.thinking == 3 * 3_600_000
    assert played.match.banks.yellow == CORRESPONDENCE.cap


def test_pausing_and_resuming_again_have_no_effect(match):
    assert [pause_matches(competition=MOVE, now=NOON + hours * HOUR) for hours in (1, 2)] == [1, 0]
    assert [resume_matches(competition=MOVE, now=NOON + hours * HOUR) for hours in (3, 9)] == [1, 0]
    assert reread(match).deadline == DEADLINE + 2 * HOUR


def test_only_the_competition_is_paused(match, anna, piotr):
    other, alone = start(anna, piotr, MOVE + 1), start(anna, piotr, None)
    pause_matches(competition=MOVE, now=NOON)
    assert [reread(each).paused_at for each in (match, other, alone)] == [NOON, None, None]


def test_a_match_out_of_time_before_the_pause_is_lost_and_a_match_that_vacation_saves_is_paused(match, anna, piotr):
    Match.objects.filter(pk=match.pk).update(vacation_limit=0)
    saved = start(anna, piotr)
    assert pause_matches(competition=MOVE, now=DEADLINE + HOUR) == 1
    assert reread(match).finished_at == DEADLINE
    assert (reread(saved).paused_at, reread(saved).deadline) == (DEADLINE + HOUR, DEADLINE + DAY)
    assert expire_due(now=DEADLINE + 99 * DAY) == 0


def test_a_clock_that_stands_still_gets_no_hours_of_vacation_until_it_runs_on(match, anna):
    first = (NOON + 2 * DAY).date()
    plan_vacation(player=anna, first=first, last=first + DAY, now=NOON)
    pause_matches(competition=MOVE, now=NOON + DAY)
    assert give_days(now=NOON + 2 * DAY) == 0
    resume_matches(competition=MOVE, now=NOON + 3 * DAY)
    assert give_days(now=NOON + 3 * DAY) == 1
    assert reread(match).deadline == DEADLINE + 2 * DAY + DAY


def test_in_a_pause_one_may_resign_and_organisers_may_decide(match, anna, piotr):
    other = start(anna, piotr)
    pause_matches(competition=MOVE, now=NOON)
    resign(match_id=match.pk, player=anna, now=NOON + timedelta(days=20))
    forfeit_matches(losers={other.pk: Side.RED}, now=NOON + timedelta(days=20))
    ended = [reread(each) for each in (match, other)]
    assert [(each.ending, each.paused_at) for each in ended] == [("resignation", None), ("forfeit", None)]


def test_an_extension_in_a_pause_takes_the_clock_as_it_stands(match):
    pause_matches(competition=MOVE, now=NOON + 100 * HOUR)
    given = extend_bank(match_id=match.pk, side=Side.YELLOW, by=DAY, now=NOON + 500 * HOUR)
    resume_matches(competition=MOVE, now=NOON + 600 * HOUR)
    assert given == DAY
    assert reread(match).deadline == DEADLINE + 500 * HOUR + DAY


def test_a_match_that_starts_in_a_pause_stands_still_from_the_beginning(anna, piotr):
    match = start(anna, piotr, is_paused=True)
    resume_matches(competition=MOVE, now=NOON + HOUR)
    assert reread(match).deadline == DEADLINE + HOUR


def test_the_computer_waits_for_the_end_of_the_pause(anna):
    match = start(ensure_computer(level="club", now=NOON), anna)
    assert [each.pk for each in matches_waiting_for_computers(since=NOON)] == [match.pk]
    pause_matches(competition=MOVE, now=NOON)
    assert not matches_waiting_for_computers(since=NOON).exists()


def test_a_live_game_can_be_paused_too(anna, piotr):
    control = TimeControl.of_seconds(60, 0, 60)
    match = start(anna, piotr, time_control=control)
    pause_matches(competition=MOVE, now=NOON + timedelta(seconds=59))
    resume_matches(competition=MOVE, now=NOON + HOUR)
    assert reread(match).deadline == NOON + HOUR + timedelta(seconds=1)


def test_a_pause_shows_in_the_api_and_changes_the_entity_tag(match, anna, client_of):
    client, url = client_of(anna), f"/api/v1/matches/{match.pk}/"
    tag = client.get(url)["ETag"]
    pause_matches(competition=MOVE, now=NOON + HOUR)
    paused = client.get(url, headers={"If-None-Match": tag})
    assert (paused.status_code, paused.json()["deadline"]) == (200, None)
    assert paused.json()["paused_at"] == "2026-11-01T13:00:00Z"
    resume_matches(competition=MOVE, now=NOON + 2 * HOUR)
    assert client.get(url, headers={"If-None-Match": paused["ETag"]}).json()["paused_at"] is None
