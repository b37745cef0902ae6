"""The stored history of places and of byes is compared with the results, and what differs is named."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from matches.clock import CORRESPONDENCE
from matches.models import Match
from matches.services import start_match
from rules_engine.values import Side
from tests.tournaments.decisions.undoing import begin, go_on
from tests.tournaments.verbs import NOON, ROUND_ROBIN, end, group_of, recompute_tables, running, start_cup
from tournaments.decisions.services.status import cancel_competition
from tournaments.models import Bye, Fixture, Group, PlaceChange, Round, Seat, Stage
from tournaments.running.services.verification import verify_competition

beginnings = import_module("tournaments.migrations.0106_say_since_when_places_are_known")

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(hours=1)


@pytest.fixture
def cup():
    cup, _entries = start_cup(4, **ROUND_ROBIN)
    end(running(cup)[0], None)
    recompute_tables(competition_id=cup.pk, now=NOON)
    assert faults_of(cup) == []
    return cup


def faults_of(cup):
    return [fault.removeprefix(f"{cup}: ") for fault in verify_competition(competition=cup, now=SOON)]


def test_places_that_the_first_versions_did_not_keep_are_missed_by_nobody(cup):
    first = Fixture.objects.get(counted_at__isnull=False)
    later = running(cup)[0]
    end(later, None, now=NOON + timedelta(minutes=1))
    recompute_tables(competition_id=cup.pk, now=SOON)
    PlaceChange.objects.filter(seat__entry=first.red, match=first.match).delete()
    assert len(faults_of(cup)) == 1
    beginnings.note_beginnings(apps, None)
    assert (faults_of(cup), group_of(cup).places_known_since) == ([], first.finished_at)
    PlaceChange.objects.filter(match=later.match).delete()
    assert len(faults_of(cup)) == 2, "those that came later are missed"
    PlaceChange.objects.all().delete()
    Group.objects.update(places_known_since=None)
    Stage.objects.update(format="knock-out")
    beginnings.note_beginnings(apps, None)
    assert Group.objects.get().places_known_since is None, "a bracket keeps no places"


def test_a_place_that_is_missing_from_the_history_is_named(cup):
    fixture = Fixture.objects.get(counted_at__isnull=False)
    PlaceChange.objects.filter(seat__entry=fixture.red).delete()
    assert faults_of(cup) == [
        f"fixture {fixture.pk} counts, but the history has no place of entry {fixture.red_id} after it."
    ]


def test_a_place_that_is_dated_otherwise_is_named(cup):
    PlaceChange.objects.update(changed_at=SOON)
    assert len(faults_of(cup)) == 2


def test_a_result_that_came_into_no_history_is_named(cup):
    Fixture.objects.update(is_in_history=False)
    (fault,) = faults_of(cup)
    assert fault.endswith("counts, but no table was made after it for the history of places.")


def test_a_place_after_a_match_elsewhere_is_named(cup):
    match = Match.objects.get(fixture__counted_at__isnull=False)
    elsewhere = start_match(game=match.game, yellow=match.yellow, red=match.red, time_control=CORRESPONDENCE, now=NOON)
    seat = Seat.objects.filter(stage__competition=cup)[0]
    PlaceChange.objects.create(competition=seat.stage.competition, seat=seat, place=1, match=elsewhere, changed_at=NOON)
    assert faults_of(cup) == [f"the history has places after match {elsewhere.pk}, which was played elsewhere."]


def test_an_entrant_who_plays_in_a_round_has_no_bye_in_it(cup):
    seat = Seat.objects.filter(group=group_of(cup)).select_related("entry")[0]
    Bye.objects.create(round=Round.objects.get(group=group_of(cup), number=1), seat=seat)
    assert faults_of(cup) == [f"entry {seat.entry_id} has a bye in round 1, and a match."]


def test_a_bye_belongs_to_a_seat_of_the_group(cup):
    seat = Seat.objects.filter(group=group_of(cup))[0]
    Bye.objects.create(round=Round.objects.get(group=group_of(cup), number=1), seat=seat)
    Seat.objects.filter(pk=seat.pk).update(group=None)
    assert f"seat {seat.pk} has a bye in round 1, and no seat in the group." in faults_of(cup)


def test_nobody_goes_on_to_a_level_from_groups_that_were_cancelled():
    cup = begin("mini cup", 9)
    for each in running(cup)[::2]:
        end(each, Side.YELLOW)
    go_on(cup, NOON)
    assert cancel_competition(competition_id=cup.pk, actor=None, now=SOON).status == "cancelled"
    cup.refresh_from_db()
    assert faults_of(cup) == []
