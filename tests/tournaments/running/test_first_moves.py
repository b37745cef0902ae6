"""Players who do not begin: who has not made a first move in the time for it forfeits the match."""

from datetime import timedelta

import pytest

from matches.errors import TooLate
from matches.services import expire_due, play_move
from matches.services.verification import verify_match
from rules_engine.values import Ending, Side
from tests.matches.play import act, reread
from tests.pages.html import text_of
from tests.tournaments import verbs
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.models import Cup

pytestmark = pytest.mark.django_db

NOON, HOUR = verbs.NOON, timedelta(hours=1)


@pytest.fixture(name="match")
def match_in_a_cup():
    verbs.start_cup(2, begin_hours=20, vacation_limit=0)
    return verbs.running(Cup.objects.get())[0].match


def test_who_has_not_begun_forfeits_at_the_deadline_before_any_task_has_run(match):
    late = {"match_id": match.pk, "player": match.player_to_act, "ply": match.ply, "text": match.state.legal_moves()[0]}
    with pytest.raises(TooLate):
        play_move(**late, now=NOON + 20 * HOUR)
    loser = match.side
    expire_due(now=NOON + 99 * HOUR)
    match = reread(match)
    assert (match.ending, match.finished_at, match.winner) == (Ending.FORFEIT, NOON + 20 * HOUR, Side(loser).opponent)
    assert verify_match(match=match) == []


def test_who_has_begun_wins_against_who_has_not_and_has_the_whole_clock(match):
    first = match.side
    while match.side == first:
        match = act(match, now=NOON + 19 * HOUR)
    control = match.time_control
    assert match.banks[first] == min(control.cap, control.bank - 19 * HOUR + control.increment)
    assert match.deadline == NOON + 39 * HOUR
    expire_due(now=NOON + 40 * HOUR)
    match = reread(match)
    assert (match.ending, match.winner) == (Ending.FORFEIT, first)


def test_who_is_let_begin_after_all_has_the_time_for_it_anew(match):
    expire_due(now=NOON + 40 * HOUR)
    verbs.settle_all(NOON + 40 * HOUR)
    fixture = Cup.objects.get().fixtures.get(match=match)
    take_back_decision(fixture_id=fixture.pk, confirm=False, actor=verbs.boss(), reason="Ill.", now=NOON + 50 * HOUR)
    match = reread(match)
    assert match.deadline == NOON + 70 * HOUR
    assert verify_match(match=match) == []


def test_players_read_it_before_they_join_and_in_the_match(match, client):
    cup = Cup.objects.get()
    sentence = "Players have 20 hours of their clock for their first move. A player who has not made it by then"
    assert sentence in text_of(client.get(cup.get_absolute_url()))
    assert f"{match.player_to_act} has until 2 Nov 2026, 08:00 UTC" in text_of(client.get(match.get_absolute_url()))
