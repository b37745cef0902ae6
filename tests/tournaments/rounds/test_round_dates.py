"""The dates by which rounds must end: set by hand, by the cup's days, and moved by pauses."""

from datetime import timedelta

import pytest

from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.errors import InvalidRoundDate
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.decisions.services.round_expiry import end_due_rounds, end_round
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.models import RoundEnd, Tie

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WHY = "Holidays."


def give_date(cup, number, ends_at, now=NOON):
    return set_round_date(round=verbs.round_of(cup, number), ends_at=ends_at, actor=None, now=now)


def date_of(cup, number):
    return verbs.round_of(cup, number).ends_at


def play_round(cup, at):
    verbs.end_all(cup, now=at)


@pytest.mark.parametrize(("by_hand", "kept"), [(NOON + 7 * DAY, NOON + 14 * DAY), (NOON + 8 * DAY, NOON + 8 * DAY)])
def test_a_date_that_has_passed_when_its_round_begins_gives_way_to_the_days_of_the_cup(by_hand, kept):
    cup, _ = verbs.start_cup(4, legs=1, round_days=7, at_round_end=RoundEnd.FORFEIT)
    give_date(cup, 2, by_hand)
    play_round(cup, NOON + 7 * DAY)
    assert date_of(cup, 2) == kept
    assert end_due_rounds(now=kept - timedelta(minutes=1)) == 0
    assert end_due_rounds(now=kept) == 1


@pytest.mark.parametrize("options", [ROUND_ROBIN, {"legs": 1}])
def test_without_days_for_rounds_a_date_that_passed_before_the_start_is_none(options):
    cup, _entries = verbs.open_cup(2, at_round_end=RoundEnd.FORFEIT, **options)
    verbs.draw(cup)
    give_date(cup, 1, NOON + DAY)
    verbs.start(cup, NOON + DAY)
    assert date_of(cup, 1) is None
    assert end_due_rounds(now=NOON + 2 * DAY) == 0


@pytest.mark.parametrize("ends_at", [NOON - DAY, NOON, NOON + 3651 * DAY])
def test_a_date_lies_ahead_and_not_beyond_all_measure(ends_at):
    cup, _ = verbs.start_cup(2, legs=1, round_days=7)
    with pytest.raises(InvalidRoundDate, match="at most ten years ahead"):
        give_date(cup, 1, ends_at)
    assert date_of(cup, 1) == NOON + 7 * DAY


@pytest.mark.parametrize("options", [{"legs": 1}, {"legs": 1, "round_days": 20}, {"round_days": 20, **ROUND_ROBIN}])
def test_rounds_that_follow_each_other_end_in_their_order(options):
    cup, _ = verbs.start_cup(4, **options)
    give_date(cup, 1, NOON + 3 * DAY)
    with pytest.raises(InvalidRoundDate, match="An earlier round ends after this date"):
        give_date(cup, 2, NOON + 2 * DAY)
    give_date(cup, 2, NOON + 5 * DAY)
    with pytest.raises(InvalidRoundDate, match="A later round ends before this date") as refusal:
        give_date(cup, 1, NOON + 6 * DAY)
    assert refusal.value.fields == {"ends_at": ["A later round ends before this date."]}
    give_date(cup, 2, None)
    assert give_date(cup, 1, NOON + 6 * DAY).ends_at == NOON + 6 * DAY


def test_rounds_that_are_played_at_the_same_time_end_in_any_order():
    cup, _ = verbs.start_cup(4, **ROUND_ROBIN)
    give_date(cup, 1, NOON + 3 * DAY)
    assert give_date(cup, 2, NOON + 2 * DAY).ends_at == NOON + 2 * DAY


def test_a_date_set_during_a_pause_stays_and_is_moved_by_the_next_one():
    cup, _ = verbs.start_cup(4, legs=1, round_days=7)
    give_date(cup, 2, NOON + 30 * DAY)
    verbs.pause(cup, now=NOON + DAY)
    give_date(cup, 1, NOON + 20 * DAY, now=NOON + 2 * DAY)
    verbs.resume(cup, now=NOON + 11 * DAY)
    assert (date_of(cup, 1), date_of(cup, 2)) == (NOON + 20 * DAY, NOON + 40 * DAY)
    verbs.pause(cup, now=NOON + 12 * DAY)
    verbs.resume(cup, now=NOON + 14 * DAY)
    assert (date_of(cup, 1), date_of(cup, 2)) == (NOON + 22 * DAY, NOON + 42 * DAY)


def test_a_round_that_was_cut_short_goes_on_with_a_new_date():
    cup, _ = verbs.start_cup(8, legs=1)
    for slot in (0, 1):
        verbs.end(next(each for each in verbs.running(cup) if each.tie.slot == slot), Side.YELLOW)
    # One semi-final goes on, of the other nobody is known.
    assert end_round(round=verbs.round_of(cup, 2), policy=RoundEnd.FORFEIT, actor=None, now=NOON) == 1
    assert give_date(cup, 2, NOON + 9 * DAY, now=NOON).cut_short_at is None


def test_ties_that_went_to_the_higher_seed_by_a_cut_stay_decided_with_a_new_date():
    cup, _ = verbs.start_cup(4, legs=1, replays=1, round_days=7)
    level, other = verbs.running(cup)
    for each in (level, other):
        verbs.move_in(each)
    end_round(round=verbs.round_of(cup, 1), policy=RoundEnd.ADJUDICATE, actor=None, reason=WHY, now=NOON + DAY)
    verbs.settle_all(NOON + DAY)
    seeded = Tie.objects.get(pk=level.tie_id)
    assert seeded.decided_by == "seed"
    take_back_decision(fixture_id=other.pk, confirm=True, actor=None, reason=WHY, now=NOON + DAY)
    assert verbs.faults_of(cup, NOON + DAY) == []
    give_date(cup, 1, NOON + 20 * DAY, NOON + 2 * DAY)
    seeded.refresh_from_db()
    assert (seeded.decided_by, date_of(cup, 1)) == ("seed", NOON + 20 * DAY)
    assert verbs.faults_of(cup, NOON + 2 * DAY) == []
