"""The numbers of players and leavers that a competition keeps."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import Competition, CompetitionStatus, Seat, WaitingPlayer
from tournaments.office.services.locks import lock_competition
from tournaments.records.competitions import with_details
from tournaments.records.stages import stages_of
from tournaments.running.selectors.waiting_lists import count_waiting
from tournaments.running.services.recount import recount_competition

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


def numbers_of(competition):
    fresh = Competition.objects.get(pk=competition.pk)
    return fresh.entrants, fresh.leavers, fresh.entered


def test_a_player_who_leaves_before_the_start_is_counted_nowhere():
    cup, entries = verbs.open_cup(3)
    assert numbers_of(cup) == (3, 0, 3)
    verbs.leave(entries[0])
    assert numbers_of(cup) == (2, 0, 2)


def test_a_player_who_leaves_a_ladder_counts_as_a_leaver_until_they_return():
    ladder = verbs.make_ladder()
    players = verbs.make_players(3)
    entries = verbs.enter_all(ladder, players)
    verbs.start(ladder)
    verbs.leave(entries[0], LATER)
    assert numbers_of(ladder) == (2, 1, 3)
    verbs.enter(ladder, players[0], LATER)
    assert numbers_of(ladder) == (3, 0, 3)


def test_a_withdrawal_that_is_taken_back_and_a_replacement_change_no_number_of_those_entered(boss):
    cup, entries = verbs.start_cup(4)
    verbs.withdraw(entries[0], boss, LATER)
    assert numbers_of(cup) == (3, 1, 4)
    verbs.undo_withdrawal(entries[0], boss, LATER)
    assert numbers_of(cup) == (4, 0, 4)
    substitute = Player.objects.create(username="substitute")
    verbs.replace(entries[1], substitute, boss, LATER)
    assert numbers_of(cup) == (4, 0, 4)
    assert verbs.faults_of(cup, LATER) == []


def test_wrong_numbers_are_named_and_counted_anew():
    cup, _entries = verbs.start_cup(4)
    Competition.objects.filter(pk=cup.pk).update(entrants=7, leavers=2)
    assert verbs.faults_of(cup) == [
        f"{cup}: 7 entrants are stored, but its entries give 4.",
        f"{cup}: 2 leavers are stored, but its entries give 0.",
    ]
    recount_competition(competition=lock_competition(competition_id=cup.pk), now=NOON)
    assert numbers_of(cup) == (4, 0, 4)


def test_a_ladder_knows_its_seats_without_reading_them(boss):
    ladder = verbs.make_ladder()
    players = verbs.make_players(4)
    entries = verbs.enter_all(ladder, players)
    assert seats_known(ladder) == 4
    verbs.start(ladder)
    verbs.leave(entries[0], LATER)
    assert seats_known(ladder) == 4
    # A player who left keeps a seat when the start is taken back.
    verbs.undo_start(ladder, boss, LATER)
    assert numbers_of(ladder) == (3, 0, 3)
    assert seats_known(ladder) == 4
    again = LATER + timedelta(hours=1)
    verbs.start(ladder, again)
    verbs.leave(entries[2], again)
    assert numbers_of(ladder) == (2, 1, 3)
    assert seats_known(ladder) == 4


def test_a_ladder_that_starts_again_by_a_clock_behind_that_of_its_leavers_knows_all_of_its_seats(boss):
    ladder, entries = verbs.open_ladder(3)
    verbs.start(ladder)
    verbs.leave(entries[0], LATER)
    verbs.undo_start(ladder, boss, LATER)
    behind = LATER - timedelta(seconds=1)
    verbs.start(ladder, behind)
    assert seats_known(ladder) == 3
    assert numbers_of(ladder) == (2, 1, 3)
    verbs.recompute_tables(competition_id=ladder.pk, now=behind)
    assert verbs.faults_of(ladder, behind) == []


def seats_known(ladder):
    """Return how many seats a ladder is known to have: as many as there are, and none of them is read."""
    fresh = Competition.objects.get(pk=ladder.pk)
    with CaptureQueriesContext(connection) as captured:
        [stage] = stages_of(fresh)
    assert not any("tournaments_seat" in query["sql"] for query in captured)
    assert stage.entrants == Seat.objects.filter(stage=stage.stage).count()
    return stage.entrants


def test_nobody_is_counted_on_the_waiting_list_of_what_has_started():
    cup = verbs.make_cup(max_entrants=2)
    players = verbs.make_players(4)
    verbs.enter_all(cup, players[:2])
    for player in players[2:]:
        WaitingPlayer.objects.create(competition=cup, player=player, joined_at=NOON)
    read = with_details(Competition.objects.filter(pk=cup.pk))
    assert (vars(read.get())["waiting"], count_waiting(read.get())) == (2, 2)
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING)
    assert (vars(read.get())["waiting"], count_waiting(read.get())) == (0, 0)


def test_a_seat_that_the_numbers_of_a_ladder_do_not_know_is_named():
    ladder, entries = verbs.open_ladder(3)
    assert verbs.faults_of(ladder) == []
    Seat.objects.filter(entry=entries[0]).delete()
    assert f"{ladder}: its numbers give 3 seats, but there are 2." in verbs.faults_of(ladder)
