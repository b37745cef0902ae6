"""Coming late: to a round robin whose matches all begin at the start, if its organiser wants it."""

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from players.models import Player
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.pages.parts import make_stages
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.models import CompetitionStatus, Entry, Fixture, Group, Round, Standing
from tournaments.records.competitions import open_competitions
from tournaments.records.group_records import read_record
from tournaments.running.errors import EntryClosed, LastRoundDrawn
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.running.services.next_rounds import pair_due_rounds

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def late(db):
    return Player.objects.create(username="late")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({**ROUND_ROBIN, "late_entry": True}, []),
        ({**ROUND_ROBIN, "late_entry": False}, ["entry_closed"]),
        ({**ROUND_ROBIN, "late_entry": True, "round_days": 7}, ["entry_closed"]),
        ({"late_entry": True}, ["entry_closed"]),
    ],
)
def test_late_entry_is_open_where_wanted_and_possible(options, expected, late):
    cup, _ = verbs.start_cup(3, **options)
    assert [reason.code for reason in reasons_not_to_enter(competition=cup, player=late)] == expected
    assert open_competitions().filter(pk=cup.pk).exists() == (not expected)


@pytest.mark.parametrize("cycles", [1, 2])
def test_a_latecomer_meets_everybody_as_often_as_the_others_do(cycles, late):
    cup, entries = verbs.start_cup(4, cycles=cycles, late_entry=True, **ROUND_ROBIN)
    verbs.end(verbs.running(cup)[0], Side.YELLOW)
    verbs.withdraw(entries[3], entries[3].player)
    verbs.settle_all()
    entry = verbs.enter(cup, late)
    assert entry.seat.seed == 5
    fixtures = Fixture.objects.filter(competition=cup, yellow=entry) | Fixture.objects.filter(
        competition=cup, red=entry
    )
    met = sorted(each.yellow_id if each.red_id == entry.pk else each.red_id for each in fixtures)
    assert met == sorted(cycles * [other.pk for other in entries])
    played = fixtures.exclude(ending="forfeit")
    assert abs(2 * played.filter(yellow=entry).count() - played.count()) <= cycles % 2
    assert fixtures.filter(ending="forfeit").count() == cycles
    verbs.play_out(cup, random.Random(1))
    assert cup.status == CompetitionStatus.FINISHED
    assert Standing.objects.get(seat__entry=entry).played == 4 * cycles


def test_latecomers_have_the_sides_that_the_format_gives_them():
    cup, entries = verbs.start_cup(6, late_entry=True, **ROUND_ROBIN)
    verbs.withdraw(entries[0], entries[0].player)
    verbs.settle_all()
    group = Group.objects.select_related("stage__competition").get(stage__competition=cup)
    stage = group.stage
    for number, player in enumerate(verbs.make_players(3, prefix="late"), start=1):
        verbs.enter(cup, player, NOON + number * HOUR)
        last = Round.objects.filter(group=group).order_by("number").last()
        record = read_record(group)
        before = replace(
            record,
            rounds=tuple(each for each in record.rounds if each.number != last.number),
            games=tuple(game for game in record.games if game.round != last.number),
        )
        (drawn,) = stage.format_spec.next_rounds(before, stage.chosen_options, 0)
        fixtures = last.fixtures.values_list("yellow", "red")
        assert sorted(fixtures) == sorted((pair.sides.yellow, pair.sides.red) for pair in drawn.pairs)
    as_yellow = Counter(
        Fixture.objects.filter(competition=cup).exclude(ending="forfeit").values_list("yellow", flat=True)
    )
    assert sorted(as_yellow.values()) == [3, 3, 3, 3, 4, 4, 4, 4]


def test_nobody_enters_once_the_last_round_has_been_drawn():
    cup, _entries = verbs.start_cup(3, format="swiss", late_entry=True)
    one, other, third = verbs.make_players(3, "new")
    verbs.enter(cup, one)
    verbs.play_out(cup, random.Random(1))
    pair_due_rounds(now=NOON + HOUR)
    cup.refresh_from_db()
    (reason,) = reasons_not_to_enter(competition=cup, player=other)
    assert (reason.code, reason.reason) == (
        "last_round_drawn",
        "The last round has been drawn, so it is too late to join.",
    )
    with pytest.raises(LastRoundDrawn):
        verbs.enter(cup, other, NOON + HOUR)
    with pytest.raises(LastRoundDrawn):
        verbs.admit(cup, third, now=NOON + HOUR)
    (olga,) = verbs.make_players(1, "olga")
    cup.organisers.add(olga)
    with pytest.raises(LastRoundDrawn):
        import_entry_list(competition_id=cup.pk, text="new-2", actor=olga, now=NOON + HOUR)
    assert Entry.objects.filter(competition=cup).count() == 4
    verbs.play_out(cup, random.Random(1), now=NOON + 2 * HOUR)
    assert [each.code for each in reasons_not_to_enter(competition=cup, player=other)] == ["entry_closed"]


def test_nobody_enters_while_the_last_round_is_drawn(late):
    cup, _entries = verbs.start_cup(4, format="swiss", late_entry=True)
    verbs.play_out(cup, random.Random(1))
    assert [each.code for each in reasons_not_to_enter(competition=cup, player=late)] == ["last_round_drawn"]
    with pytest.raises(LastRoundDrawn):
        verbs.enter(cup, late, NOON + HOUR)


@pytest.mark.parametrize("round_days", [None, 7])
def test_a_swiss_is_listed_as_open_until_its_last_round_is_drawn(round_days, late):
    cup, _entries = verbs.start_cup(4, format="swiss", late_entry=True, round_days=round_days)
    listed = [list(open_competitions())]
    verbs.play_out(cup, random.Random(1))
    listed.append(list(open_competitions()))
    pair_due_rounds(now=NOON + HOUR)
    listed.append(list(open_competitions()))
    assert listed == [[cup], [], []]


def end_group(cup, number):
    """End the running matches of a group, and draw what is due then."""
    for fixture in verbs.running(cup):
        if fixture.group.number == number:
            verbs.end(fixture, Side.YELLOW, NOON + HOUR)
    pair_due_rounds(now=NOON + 2 * HOUR)
    cup.refresh_from_db()


def test_a_latecomer_joins_a_group_of_which_rounds_are_still_to_be_drawn():
    cup = make_stages(8, format="swiss", rounds=2, late_entry=True, grouping={"groups": 2, "size": None})
    verbs.start(cup)
    end_group(cup, 1)
    players = verbs.make_players(3, "new")
    joined = [verbs.enter(cup, each, NOON + 3 * HOUR).seat for each in players[:2]]
    assert [(seat.group.number, seat.seed) for seat in joined] == [(2, 5), (2, 6)]
    end_group(cup, 2)
    assert [each.code for each in reasons_not_to_enter(competition=cup, player=players[2])] == ["last_round_drawn"]
    assert Fixture.objects.filter(group__number=2, round__number=2).count() == 3


def test_nobody_enters_once_the_first_stage_is_over(late):
    cup = make_stages(4, cycles=1, late_entry=True, grouping={"groups": 2, "size": None})
    verbs.start(cup)
    end_group(cup, 1)
    assert reasons_not_to_enter(competition=cup, player=late) == []
    end_group(cup, 2)
    (reason,) = reasons_not_to_enter(competition=cup, player=late)
    assert (reason.code, reason.reason) == ("entry_closed", "The first stage is over. Nobody can join any more.")
    with pytest.raises(EntryClosed, match="The first stage is over"):
        verbs.enter(cup, late, NOON + 3 * HOUR)
    with pytest.raises(EntryClosed, match="The first stage is over"):
        verbs.admit(cup, late, now=NOON + 3 * HOUR)
