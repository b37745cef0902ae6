"""Records of groups: what formats are given, read from what is stored."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from formats.protocol import Absence, HeldRound, Part, Record, TieKey
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import Entry, Fixture, Group, Standing
from tournaments.records.group_records import read_record

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def record_of(cup) -> Record[int]:
    return read_record(Group.objects.select_related("stage__competition").get(stage__competition=cup))


def places_of(cup) -> dict[int, int | None]:
    stage = cup.first_stage
    places = stage.format_spec.places(record_of(cup), stage.chosen_options, stage.tiebreaks)
    return {each.entrant: each.place for each in places}


def stored_places(cup) -> dict[int, int | None]:
    rows = Standing.objects.filter(group__stage__competition=cup)
    return dict(rows.values_list("seat__entry", "place"))


@pytest.mark.parametrize("key", ["knock-out", "round-robin"])
def test_the_places_that_a_record_gives_are_those_of_the_table(key):
    cup, entries = verbs.start_cup(6, format=key)
    for fixture in verbs.running(cup)[:2]:
        verbs.end(fixture, fixture.red, NOON + HOUR)
    verbs.leave(entries[3], NOON + 2 * HOUR)
    verbs.play_out(cup, random.Random(1), now=NOON + 3 * HOUR)
    verbs.recompute_tables(competition_id=cup.pk, now=NOON + 9 * HOUR)
    assert places_of(cup) == stored_places(cup)
    assert min(filter(None, places_of(cup).values())) == 1


def test_a_record_tells_of_ties_rounds_and_absences():
    cup, entries = verbs.start_cup(4, legs=1, round_days=3)
    first = verbs.tie_of(cup, 1, 0)
    fixture = Fixture.objects.get(tie=first)
    verbs.leave(first.second, NOON + HOUR)
    record = record_of(cup)
    assert [(seat.entrant, seat.seed) for seat in record.seats] == [
        (entry.pk, seed) for seed, entry in enumerate(entries, start=1)
    ]
    assert record.rounds == (HeldRound(1, NOON), HeldRound(2))
    assert (record.began_at, record.in_rounds) == (NOON, True)
    absent = {seat.entrant: seat.absences for seat in record.seats if seat.absences}
    assert absent == {first.second_id: (Absence(NOON + HOUR),)}
    game = next(each for each in record.games if each.number == fixture.pk)
    assert (game.round, game.tie, game.leg) == (1, TieKey(1, Part.MAIN, 0), 1)
    assert game.forfeited_by == first.second_id


def test_a_replacement_did_not_come_late_and_a_late_entrant_did():
    cup, entries = verbs.start_cup(3, format="round-robin", late_entry=True)
    one, late = verbs.make_players(2, "new")
    new = verbs.replace(entries[0], one, _organiser(cup), NOON + HOUR)
    verbs.enter(cup, late, NOON + 2 * HOUR)
    seats = {seat.entrant: seat for seat in record_of(cup).seats}
    entered = Entry.objects.get(player=late)
    assert (seats[new.pk].first_round, seats[entered.pk].first_round) == (1, 4)
    assert entries[0].pk not in seats
    stage = cup.first_stage
    assert stage.format_spec.next_rounds(record_of(cup), stage.chosen_options, 1) == ()


def test_a_leg_that_was_set_up_again_says_when():
    cup, entries = verbs.start_cup(2, legs=1)
    new = verbs.replace(entries[0], verbs.make_players(1, "new")[0], _organiser(cup), NOON + HOUR)
    (game,) = record_of(cup).games
    assert game.again_at == NOON + HOUR
    assert new.pk in set(game.sides)


def test_a_record_takes_as_many_queries_at_any_size():
    counts = []
    for size in (4, 16):
        cup, _entries = verbs.start_cup(size, prefix=f"of-{size}", slug=f"cup-{size}")
        verbs.play_out(cup, random.Random(1))
        with CaptureQueriesContext(connection) as queries:
            record_of(cup)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9


def _organiser(cup):
    (organiser,) = verbs.make_players(1, "organiser")
    cup.organisers.add(organiser)
    return organiser
