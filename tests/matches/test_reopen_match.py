"""Matches that go on when the decision that ended them is taken back."""

import json
from datetime import timedelta
from typing import Any

import pytest

from matches.errors import MatchOver
from matches.models import Match, MatchAnalysis
from matches.records import match_record
from matches.services import pause_matches, request_analysis, resign
from matches.services.adjudication import adjudicate_match, annul_match, forfeit_matches
from matches.services.reopen_match import count_match_again, reopen_match
from matches.services.verification import verify_match
from rules_engine.record_formats import record_to_json
from rules_engine.values import Side
from tests.matches.play import act, begin_match, play_randomly, reread
from tests.matches.test_dice_recipe import approve, run_recipe

pytestmark = pytest.mark.usefixtures("borne_out")

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
KEPT = ("ply", "position", "side", "bank_yellow", "bank_red", "chain", "rolls", "last_move_at", "status")


@pytest.fixture(name="begin")
def begin_in_a_competition(begin):
    def begin_one(*args: Any, **options: Any) -> Match:
        match = begin(*args, **options)
        Match.objects.filter(pk=match.pk).update(competition=7)
        return reread(match)

    return begin_one


def decide_and_take_back(match: Match, *, after: timedelta = HOUR, wait: timedelta = DAY) -> Match:
    at = match.last_move_at + after
    adjudicate_match(match_id=match.pk, winner=Side.RED, now=at)
    return reopen_match(match_id=match.pk, now=at + wait)


@pytest.mark.parametrize("game", ["streetsoccer-board", "streetsoccer-online"])
def test_a_match_goes_on_from_where_it_stood_with_the_clock_as_it_stood(game, begin):
    match = play_randomly(begin(game), until=20)
    again = decide_and_take_back(match)
    assert {name: getattr(again, name) for name in KEPT} == {name: getattr(match, name) for name in KEPT}
    assert again.deadline == match.deadline + DAY
    assert (again.outcome, again.finished_at, again.settled_at, again.annulled_at) == (None, None, None, None)
    assert verify_match(match=reread(again)) == []
    finished = play_randomly(reread(again), seed=2)
    assert finished.outcome is not None


def test_further_rolls_come_from_a_new_seed_as_the_first_one_was_shown(begin, tmp_path):
    match = play_randomly(begin("streetsoccer-online"), until=30)
    again = decide_and_take_back(match)
    assert again.seed != match.seed
    assert again.commitment != match.commitment
    finished = play_randomly(reread(again), seed=2)
    record = record_to_json(match_record(reread(finished)))
    assert record["tags"]["SpentSeeds"] == f"{match.rolls}:{match.seed}"
    approve(record, tmp_path)
    del record["tags"]["SpentSeeds"]
    assert run_recipe(record, tmp_path).returncode == 1


def test_the_proof_shows_both_seeds_and_keeps_the_new_one_until_the_end(begin, client):
    match = play_randomly(begin("streetsoccer-online"), until=30)
    again = decide_and_take_back(match)
    proof = client.get(f"/api/v1/matches/{match.pk}/dice/").json()
    spent = {"rolls": match.rolls, "commitment": match.commitment, "seed": match.seed}
    assert (proof["seed"], proof["commitment"], proof["spent_seeds"]) == (None, again.commitment, [spent])
    assert [roll["holds"] for roll in proof["rolls"]] == [True] * match.rolls
    play_randomly(reread(again), seed=2)
    page = client.get(f"/matches/{match.pk}/dice/").content.decode()
    assert "Every roll is correct" in page
    data = json.loads(page.split('id="page-data" type="application/json">')[1].split("</script>")[0])
    assert [each["rolls"] for each in data["seeds"]] == [match.rolls, None]


def test_of_a_match_that_was_paused_the_clock_did_not_run_meanwhile(anna, piotr):
    match = begin_match(anna, piotr, competition=7)
    pause_matches(competition=7, now=match.last_move_at + HOUR)
    again = decide_and_take_back(match, after=10 * HOUR)
    assert again.deadline == match.deadline + 9 * HOUR + DAY


def test_in_a_paused_competition_the_clocks_stand_still(anna, piotr):
    match = begin_match(anna, piotr, competition=7)
    adjudicate_match(match_id=match.pk, winner=None, now=match.last_move_at)
    again = reopen_match(match_id=match.pk, now=match.last_move_at + HOUR, is_paused=True)
    assert again.paused_at == match.last_move_at + HOUR


def test_a_forfeit_and_a_match_that_was_broken_off_go_on_too(begin):
    forfeited, annulled = begin(), begin()
    forfeit_matches(losers={forfeited.pk: Side.RED}, now=forfeited.last_move_at)
    annul_match(match_id=annulled.pk, now=annulled.last_move_at)
    for match in (forfeited, annulled):
        again = reopen_match(match_id=match.pk, now=match.last_move_at + HOUR)
        assert (again.is_running, again.annulled_at) == (True, None)
        act(again, now=match.last_move_at + 2 * HOUR)


def test_a_match_that_its_players_have_ended_is_not_reopened(begin, anna):
    resigned, going_on = begin(), begin()
    resign(match_id=resigned.pk, player=anna, now=resigned.last_move_at)
    for match in (resigned, going_on):
        with pytest.raises(MatchOver):
            reopen_match(match_id=match.pk, now=match.last_move_at + HOUR)


def test_a_match_of_no_competition_does_not_go_on(begin):
    match = begin()
    Match.objects.filter(pk=match.pk).update(competition=None)
    adjudicate_match(match_id=match.pk, winner=None, now=match.last_move_at)
    with pytest.raises(MatchOver):
        reopen_match(match_id=match.pk, now=match.last_move_at + HOUR)


def test_reopening_a_match_deletes_its_analysis(begin, anna):
    match = play_randomly(begin(), until=10)
    adjudicate_match(match_id=match.pk, winner=None, now=match.last_move_at)
    request_analysis(match_id=match.pk, player=anna, now=match.last_move_at)
    reopen_match(match_id=match.pk, now=match.last_move_at + HOUR)
    assert not MatchAnalysis.objects.exists()


def test_an_annulled_result_counts_again(begin, anna):
    match = begin()
    resign(match_id=match.pk, player=anna, now=match.last_move_at)
    annul_match(match_id=match.pk, now=match.last_move_at + HOUR)
    assert count_match_again(match_id=match.pk).annulled_at is None
    assert reread(match).finished_at == match.last_move_at
