"""Swiss cups in the services: rounds are drawn one after the other, byes count, and everything ends."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import Q

from formats.protocol import DrawnRound
from rules_engine.values import BySide, Side
from tests.marks import nightly_rows
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments import tasks
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.models import Bye, CompetitionStatus, Cup, Entry, Fixture, Group, Round, Standing
from tournaments.records.group_records import read_record
from tournaments.running.services import next_rounds
from tournaments.running.services.next_rounds import pair_due_rounds, pair_round
from tournaments.running.services.verification import waiting_in_competition
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def start_swiss(size: int, **options) -> Cup:
    cup, _entries = verbs.start_cup(size, format="swiss", tiebreaks=[], **options)
    return cup


def group_of(cup: Cup) -> Group:
    return Group.objects.get(stage__competition=cup)


def play_round(cup: Cup, now, source: random.Random) -> None:
    """End all running matches in a random order with random winners, as of one moment."""
    fixtures = verbs.running(cup)
    source.shuffle(fixtures)
    for fixture in fixtures:
        verbs.end(fixture, source.choice([fixture.yellow, fixture.red, None]), now)


def rounds_of(cup: Cup) -> list[int]:
    return list(Round.objects.filter(group__stage__competition=cup).order_by("number").values_list("number", flat=True))


def byes_of(cup: Cup) -> list[tuple[int, str]]:
    byes = Bye.objects.filter(round__group__stage__competition=cup).order_by("round__number")
    return list(byes.values_list("round__number", "seat__entry__player__username"))


@pytest.mark.parametrize(("size", "round_days"), [(5, None), (8, 7), *nightly_rows([(5, 7), (8, None)])])
def test_a_swiss_with_a_withdrawal_and_a_late_entry_is_played_to_its_end(size, round_days):
    source = random.Random(size)
    cup = start_swiss(size, late_entry=True, round_days=round_days)
    leaver = Entry.objects.filter(competition=cup).order_by("pk")[1]
    latecomer = verbs.make_players(1, prefix="late")[0]
    now = NOON
    while Cup.objects.get(pk=cup.pk).status == CompetitionStatus.RUNNING:
        now += HOUR
        number = rounds_of(cup)[-1]
        if number == 1:
            verbs.withdraw(leaver, now=now)
        if number == 2:
            verbs.admit(cup, latecomer, now=now)
        recompute_stale(now=now)
        assert verbs.faults_of(cup, now) == []
        play_round(cup, now, source)
        pair_due_rounds(now=now + timedelta(minutes=1))
    cup.refresh_from_db()
    recompute_stale(now=now)
    assert verbs.faults_of(cup, now) == []
    assert waiting_in_competition(competition=cup, now=now) == []
    assert rounds_of(cup) == list(range(1, (size - 1).bit_length() + 1))
    assert Counter(byes_of(cup)).most_common(1)[0][1] == 1
    assert len({name for _, name in byes_of(cup)}) == len(byes_of(cup))
    first = Standing.objects.get(group__stage__competition=cup, place=1)
    assert cup.winner == first.seat.entry
    late = Entry.objects.get(player=latecomer)
    played = Fixture.objects.filter(Q(yellow=late) | Q(red=late)).values_list("round__number", flat=True)
    sat_out = Bye.objects.filter(seat__entry=late).values_list("round__number", flat=True)
    assert sorted([*played, *sat_out]) == rounds_of(cup)[2:]
    gone = Fixture.objects.filter(Q(yellow=leaver) | Q(red=leaver), round__number__gt=1)
    assert not gone.exists()
    with_opponent = Fixture.objects.values_list("yellow", "red")
    assert max(Counter(frozenset(pair) for pair in with_opponent).values()) == 1


def test_points_per_match_of_a_row_count_its_bye_as_a_round():
    _cup, _entries = verbs.start_cup(3, format="swiss", tiebreaks=["points-per-match", "draw"])
    recompute_stale(now=NOON)
    bye = Bye.objects.get()
    assert Standing.objects.get(seat=bye.seat).values == {"points-per-match": "5"}


def test_a_round_waits_for_the_task_and_is_drawn_once():
    cup = start_swiss(4)
    assert group_of(cup).pairing_due_since is None
    play_round(cup, NOON + HOUR, random.Random(1))
    assert rounds_of(cup) == [1]
    assert group_of(cup).pairing_due_since == NOON + HOUR
    assert waiting_in_competition(competition=cup, now=NOON)[0] == "A round of Cup waits to be drawn."
    tasks.pair_round(group_of(cup).pk)
    tasks.pair_rounds()
    assert not pair_round(group_id=group_of(cup).pk, now=NOON + 2 * HOUR)
    assert (rounds_of(cup), len(verbs.running(cup))) == ([1, 2], 2)
    assert group_of(cup).pairing_due_since is None


def sides_of(number: int) -> list[tuple[int, int]]:
    return list(Fixture.objects.filter(round__number=number).order_by("pk").values_list("yellow", "red"))


def draw_next(cup: Cup) -> DrawnRound[int]:
    """Return the round that would be drawn now."""
    group = group_of(cup)
    record, stage = read_record(group), group.stage
    (drawn,) = stage.format_spec.next_rounds(record, stage.chosen_options, stage.draw_seed or 0)
    return drawn


def test_a_player_who_leaves_before_the_task_has_drawn_the_next_round_forfeits_in_it():
    cup = start_swiss(5)
    play_round(cup, NOON + HOUR, random.Random(1))
    drawn = draw_next(cup)
    leaver = Entry.objects.get(pk=drawn.pairs[0].sides.red)
    verbs.withdraw(leaver, now=NOON + 2 * HOUR)
    assert sides_of(2) == [(each.sides.yellow, each.sides.red) for each in drawn.pairs]
    assert tuple(Bye.objects.filter(round__number=2).values_list("seat__entry", flat=True)) == drawn.byes
    verbs.settle_all(NOON + 2 * HOUR)
    forfeited = Fixture.objects.get(red=leaver, round__number=2)
    assert (forfeited.ending, forfeited.points, forfeited.finished_at) == ("forfeit", BySide(5, 0), NOON + 2 * HOUR)
    assert not pair_round(group_id=group_of(cup).pk, now=NOON + 3 * HOUR)


def test_a_decision_that_is_taken_back_before_the_next_round_is_drawn_changes_no_pair():
    cup = start_swiss(6)
    organiser = verbs.make_players(1, prefix="organiser")[0]
    cup.organisers.add(organiser)
    decided = [fixture.pk for fixture in verbs.running(cup)]
    for fixture_id in decided:
        adjudicate_fixture(fixture_id=fixture_id, winner=Side.RED, actor=organiser, reason="So it is.", now=NOON + HOUR)
    verbs.settle_all(NOON + HOUR)
    drawn = draw_next(cup)
    take_back_decision(fixture_id=decided[0], confirm=False, actor=organiser, reason="Or not.", now=NOON + 2 * HOUR)
    assert sides_of(2) == [(each.sides.yellow, each.sides.red) for each in drawn.pairs]
    assert {fixture.round.number for fixture in verbs.running(cup)} == {1, 2}


def test_a_player_who_enters_before_the_task_has_drawn_the_next_round_plays_from_the_one_after_it():
    cup = start_swiss(5, late_entry=True, rounds=3)
    play_round(cup, NOON + HOUR, random.Random(1))
    (late,) = verbs.make_players(1, prefix="late")
    entry = verbs.admit(cup, late, now=NOON + 2 * HOUR)
    assert rounds_of(cup) == [1, 2]
    seat = next(each for each in read_record(group_of(cup)).seats if each.entrant == entry.pk)
    assert seat.first_round == 3
    assert not {entry.pk}.intersection(*sides_of(2))
    play_round(cup, NOON + 3 * HOUR, random.Random(2))
    assert pair_round(group_id=group_of(cup).pk, now=NOON + 4 * HOUR)
    assert {entry.pk}.intersection(key for pair in sides_of(3) for key in pair)


def test_an_act_goes_on_where_a_round_cannot_be_drawn(monkeypatch):
    cup = start_swiss(5)
    play_round(cup, NOON + HOUR, random.Random(1))
    monkeypatch.setattr(next_rounds, "lay_rounds", lambda **_: 1 / 0)
    leaver = Entry.objects.filter(competition=cup).order_by("pk")[0]
    verbs.withdraw(leaver, now=NOON + 2 * HOUR)
    leaver.refresh_from_db()
    assert (leaver.is_in, group_of(cup).pairing_due_since) == (False, NOON + HOUR)


def test_one_group_that_fails_stops_none_of_the_others(monkeypatch):
    cup = start_swiss(4)
    play_round(cup, NOON + HOUR, random.Random(1))
    monkeypatch.setattr(next_rounds, "lay_rounds", lambda **_: 1 / 0)
    assert pair_due_rounds(now=NOON + 2 * HOUR) == 0
    monkeypatch.undo()
    assert pair_due_rounds(now=NOON + 3 * HOUR) == 1


def test_taking_back_the_start_leaves_the_first_round_as_it_was_drawn():
    cup = start_swiss(5)
    organiser = verbs.make_players(1, prefix="organiser")[0]
    cup.organisers.add(organiser)
    drawn = set(Fixture.objects.filter(round__number=1).values_list("yellow", "red"))
    play_round(cup, NOON + HOUR, random.Random(1))
    pair_due_rounds(now=NOON + 2 * HOUR)
    play_round(cup, NOON + 3 * HOUR, random.Random(1))
    verbs.undo_start(cup, organiser, NOON + 4 * HOUR)
    assert (rounds_of(cup), len(byes_of(cup)), group_of(cup).pairing_due_since) == ([1], 1, None)
    assert set(Fixture.objects.filter(is_annulled=False).values_list("yellow", "red")) == drawn
    verbs.start(cup, NOON + 5 * HOUR)
    # It is drawn as before, so that its results count again.
    counted = Fixture.objects.filter(is_annulled=False, counted_at__isnull=False)
    assert set(counted.values_list("yellow", "red")) == drawn
    assert group_of(cup).pairing_due_since is not None
