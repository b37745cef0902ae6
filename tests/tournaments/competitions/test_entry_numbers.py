"""The numbers of players and leavers that a competition keeps."""

from __future__ import annotations

from datetime import timedelta

import pytest

from players.models import Player
from tests.tournaments.competitions.running import (
    NOON,
    enter_all,
    make_cup,
    make_ladder,
    make_players,
    start_cup,
)
from tournaments.models import Competition
from tournaments.services.entries.admission import enter_competition
from tournaments.services.entries.replacement import replace_entry
from tournaments.services.entries.withdrawal import leave_competition, withdraw_entry
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.locks import lock_competition
from tournaments.services.recount import recount_competition
from tournaments.services.undo.withdrawals import take_back_withdrawal
from tournaments.services.verification import verify_competition

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def organiser(db):
    return Player.objects.create(username="organiser", is_superuser=True)


def numbers_of(competition):
    fresh = Competition.objects.get(pk=competition.pk)
    return fresh.entrants, fresh.leavers, fresh.entered


def test_who_leaves_before_the_start_is_counted_nowhere():
    cup = make_cup()
    entries = enter_all(cup, make_players(3))
    assert numbers_of(cup) == (3, 0, 3)
    leave_competition(entry_id=entries[0].pk, now=NOON)
    assert numbers_of(cup) == (2, 0, 2)


def test_who_leaves_a_ladder_has_been_in_it_until_they_return():
    ladder = make_ladder()
    players = make_players(3)
    entries = enter_all(ladder, players)
    start_competition(competition_id=ladder.pk, actor=None, now=NOON)
    leave_competition(entry_id=entries[0].pk, now=LATER)
    assert numbers_of(ladder) == (2, 1, 3)
    enter_competition(competition_id=ladder.pk, player=players[0], now=LATER)
    assert numbers_of(ladder) == (3, 0, 3)


def test_a_withdrawal_that_is_taken_back_and_a_replacement_change_no_number_of_those_entered(organiser):
    cup, entries = start_cup(4)
    withdraw_entry(entry_id=entries[0].pk, actor=organiser, reason="", now=LATER)
    assert numbers_of(cup) == (3, 1, 4)
    take_back_withdrawal(entry_id=entries[0].pk, confirm=True, actor=organiser, reason="", now=LATER)
    assert numbers_of(cup) == (4, 0, 4)
    substitute = Player.objects.create(username="substitute")
    replace_entry(entry_id=entries[1].pk, player=substitute, actor=organiser, reason="", now=LATER)
    assert numbers_of(cup) == (4, 0, 4)
    assert verify_competition(competition=cup, now=LATER) == []


def test_wrong_numbers_are_named_and_counted_anew():
    cup, _entries = start_cup(4)
    Competition.objects.filter(pk=cup.pk).update(entrants=7, leavers=2)
    assert verify_competition(competition=cup, now=NOON) == [
        f"{cup}: 7 entrants are stored, but its entries give 4.",
        f"{cup}: 2 leavers are stored, but its entries give 0.",
    ]
    recount_competition(competition=lock_competition(competition_id=cup.pk), now=NOON)
    assert numbers_of(cup) == (4, 0, 4)
