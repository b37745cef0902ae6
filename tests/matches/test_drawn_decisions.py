"""Live play by the decision (T19): late ones are drawn from the seed, dated at their deadlines, and can be checked."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.utils.html import escape

from matches.clock import MAX_DRAWN, TimeControl
from matches.errors import TooLate
from matches.models import Match, Status
from matches.records import match_record
from matches.selectors.matches import get_match
from matches.services import expire_due, expire_match, pause_matches, resume_matches, start_match
from matches.services.verification import verify_match
from players.models import Player
from rules_engine.record_formats import record_to_json
from rules_engine.values import Ending, Side
from tests.matches.conftest import NOON, SEED
from tests.matches.play import act, reread
from tests.matches.test_dice_recipe import approve
from tests.matches.test_races import expiring, moving, race

pytestmark = pytest.mark.both_databases

DECISION = TimeControl.of_seconds(60, 60, 60)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
GAME = "soccer-tactics"


@pytest.fixture
def match(begin):
    return begin(GAME, time_control=DECISION)


def moves_of(match: Match) -> list[tuple[int, str, str, datetime, int | None, bool]]:
    return list(match.moves.values_list("ply", "actor", "text", "played_at", "thinking", "is_drawn"))


def test_only_a_game_that_has_it_is_played_by_the_decision(begin):
    assert begin(GAME, time_control=DECISION).time_control == TimeControl.of_decisions(60)
    assert not begin(GAME, time_control=TimeControl.of_seconds(60, 30, 60)).time_control.by_decision
    other = begin("streetsoccer-board", time_control=DECISION)
    assert not other.time_control.by_decision
    assert expire_match(match_id=other.pk, now=NOON + MINUTE)
    assert reread(other).ending == Ending.TIMEOUT


def test_each_decision_has_the_whole_time_also_of_the_side_that_keeps_the_turn(match):
    for seconds in (50, 100, 150):
        side = match.side
        match = act(match, now=NOON + seconds * SECOND)
        assert match.deadline == NOON + (seconds + 60) * SECOND
    assert side == match.side or match.banks[Side(side)] == MINUTE
    assert verify_match(match=reread(match)) == []


def test_a_late_decision_is_drawn_at_its_deadline_and_the_match_goes_on(match):
    side, ply, legal = match.side, match.ply, match.state.legal_moves()
    assert not expire_match(match_id=match.pk, now=NOON + MINUTE - timedelta(milliseconds=1))
    assert reread(match).ply == ply
    assert not expire_match(match_id=match.pk, now=NOON + MINUTE + 5 * SECOND)
    match = reread(match)
    _, actor, text, at, thinking, is_drawn = moves_of(match)[ply]
    assert (actor, at, thinking, is_drawn) == (side, NOON + MINUTE, 60_000, True)
    assert text in legal
    assert (match.status, match.deadline) == (Status.PLAYING, NOON + 2 * MINUTE)
    assert verify_match(match=match) == []


def test_the_draw_is_the_seeds_among_the_legal_moves(begin):
    squares = {"@d8", "@e8", "@d9", "@e9"}
    drawn: set[str] = set()
    # What is drawn depends on the numbers that the matches get: all four come up soon or late.
    for number in range(100):
        if drawn == squares:
            break
        match = begin(GAME, time_control=DECISION, now=NOON + number * SECOND)
        expire_match(match_id=match.pk, now=NOON + number * SECOND + MINUTE)
        drawn.add(moves_of(reread(match))[match.ply][2])
    assert drawn == squares, "the kicker of either side has two squares"


@pytest.mark.parametrize("moments", [(200,), (60, 120, 180, 200), (130, 185, 185), (61, 199, 200)])
def test_nothing_depends_on_when_a_sweep_runs(anna, piotr, moments):
    match = start_match(game=GAME, yellow=anna, red=piotr, time_control=DECISION, now=NOON, seed=SEED)
    for seconds in moments:
        expire_due(now=NOON + seconds * SECOND)
        expire_due(now=NOON + seconds * SECOND)
    match = reread(match)
    dated = [at for _, actor, _, at, _, is_drawn in moves_of(match) if is_drawn]
    assert dated == [NOON + minutes * MINUTE for minutes in (1, 2, 3)]
    assert match.deadline == NOON + 4 * MINUTE
    assert verify_match(match=match) == []


def test_with_the_fifth_in_a_row_the_match_is_lost_on_time(match):
    assert expire_due(now=NOON + timedelta(hours=1)) == 1
    match = reread(match)
    assert (match.status, match.ending) == (Status.FINISHED, Ending.TIMEOUT)
    drawn = [(actor, at) for _, actor, _, at, _, is_drawn in moves_of(match) if is_drawn]
    loser = drawn[-1][0]
    assert match.winner == Side(loser).opponent
    assert match.finished_at == drawn[-1][1]
    assert [actor for actor, _ in drawn].count(loser) == MAX_DRAWN
    assert all(later - earlier == MINUTE for (_, earlier), (_, later) in pairwise(drawn))
    assert sorted(match.points) == [0, 5]
    assert verify_match(match=match) == []
    assert expire_due(now=NOON + timedelta(hours=2)) == 0


def test_a_decision_in_time_begins_the_count_anew(match):
    first = match.side

    def act_until_first(match: Match) -> Match:
        while match.side != first:
            match = act(match, now=match.last_move_at + SECOND)
        return match

    while match.moves.filter(actor=first, is_drawn=True).count() < MAX_DRAWN - 1:
        match = act_until_first(match)
        expire_match(match_id=match.pk, now=match.deadline)
        match = reread(match)
    match = act_until_first(match)
    match = act_until_first(act(match, now=match.last_move_at + SECOND))
    assert not expire_match(match_id=match.pk, now=match.deadline or NOON)
    assert reread(match).status == Status.PLAYING
    assert verify_match(match=reread(match)) == []


def test_a_move_that_comes_late_is_refused(match):
    with pytest.raises(TooLate):
        act(match, now=NOON + MINUTE)
    assert reread(match).ply == match.ply


def test_nothing_is_drawn_while_the_match_is_paused(match):
    Match.objects.filter(pk=match.pk).update(competition=1)
    pause_matches(competition=1, now=NOON + 30 * SECOND)
    assert expire_due(now=NOON + 10 * MINUTE) == 0
    assert reread(match).ply == match.ply
    resume_matches(competition=1, now=NOON + 10 * MINUTE)
    expire_due(now=NOON + 10 * MINUTE + 30 * SECOND)
    match = reread(match)
    assert moves_of(match)[-1][3] == NOON + 10 * MINUTE + 30 * SECOND
    assert verify_match(match=match) == []


@pytest.mark.parametrize("change", [{"is_drawn": False}, {"text": "@e8"}, {"text": "@d8"}])
def test_a_decision_that_was_drawn_otherwise_is_found(match, change):
    expire_match(match_id=match.pk, now=NOON + MINUTE)
    match = reread(match)
    drawn = match.moves.get(is_drawn=True)
    if change.get("text") == drawn.text:
        pytest.skip("this is what was drawn")
    match.moves.filter(pk=drawn.pk).update(**change)
    assert verify_match(match=reread(match))


def test_a_move_in_time_cannot_be_said_to_be_drawn(match):
    match = act(match, now=NOON + SECOND)
    match.moves.filter(actor__in=[*Side]).update(is_drawn=True)
    assert verify_match(match=reread(match))


def test_the_record_the_api_and_the_page_say_what_was_drawn(match, client_of, client):
    ply = match.ply
    expire_match(match_id=match.pk, now=NOON + MINUTE)
    match = get_match(match.pk)
    assert match_record(match).tags["Drawn"] == str(ply)
    api = client_of(None)
    moves = api.get(f"/api/v1/matches/{match.pk}/").json()["moves"]
    assert [move["is_drawn"] for move in moves] == [number == ply for number in range(match.ply)]
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert "Time ran out, so the dice chose the move." in page
    assert "1 minute a decision" in page


def test_the_page_of_the_dice_proves_what_was_drawn(match, client):
    expire_due(now=NOON + timedelta(hours=1))
    drawn = reread(match).moves.filter(is_drawn=True)
    answer = client.get(f"/matches/{match.pk}/dice/")
    assert answer.context["all_hold"]
    proved = {roll["ply"]: roll for roll in answer.context["rolls"]}
    for move in drawn:
        assert escape(move.text) in answer.content.decode()
        assert (move.text, 1) in proved[move.ply]["outcomes"]


def test_the_recipe_of_the_dice_checks_a_match_with_drawn_moves(match, tmp_path):
    expire_due(now=NOON + timedelta(hours=1))
    match = reread(match)
    record = record_to_json(match_record(match))
    assert record["tags"]["Rolls"].split().count("decision") == match.moves.filter(is_drawn=True).count()
    approve(record, tmp_path)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_a_move_and_its_timeout_exactly_one_counts():
    yellow, red = Player.objects.create(username="anna"), Player.objects.create(username="piotr")
    for number in range(30):
        match = start_match(game=GAME, yellow=yellow, red=red, time_control=DECISION, now=NOON)
        deadline, text = match.deadline or NOON, match.state.legal_moves()[0]
        in_time = deadline - timedelta(milliseconds=1)
        move, swept = race(moving(match, now=in_time), expiring(number, match, deadline))
        after = reread(match)
        stored = after.moves.get(ply=match.ply)
        is_answered = not stored.is_drawn or stored.text == text
        assert (move, swept) == ("ok" if is_answered else "stale_ply", "ok")
        assert after.moves.count() == after.ply
        assert verify_match(match=after) == []
        Match.objects.filter(pk=match.pk).update(paused_at=NOON)
