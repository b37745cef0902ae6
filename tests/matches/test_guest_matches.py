"""Matches that guests began and never moved in go away after a day."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Colour, Match, Seek
from matches.services import guest_matches, offer_rematch, play_against_computer, resign
from matches.services.guest_matches import delete_unmoved_matches
from players.services import create_guest
from tests.matches.conftest import NOON
from tests.matches.play import act, begin_match

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

DAY = timedelta(days=1)
GAME = "streetsoccer-board"


@pytest.fixture
def guest(db):
    return create_guest(now=NOON)


def begin(guest, colour=Colour.YELLOW):
    return play_against_computer(player=guest, game=GAME, colour=colour, now=NOON)


def test_a_guests_match_without_a_move_is_gone_after_a_day_over_or_not(guest):
    begin(guest)
    resigned = begin(guest)
    resign(match_id=resigned.pk, player=guest, now=NOON)
    # The computer has moved in it, and nobody else.
    as_red = begin(guest, Colour.RED)
    act(as_red)
    begin_match(guest, create_guest(now=NOON))
    assert delete_unmoved_matches(now=NOON + DAY - timedelta(seconds=1)) == 0
    assert delete_unmoved_matches(now=NOON + DAY) == 4
    assert not Match.objects.exists()
    assert not Seek.objects.exists()


def test_matches_stay_that_somebody_has_moved_in_or_that_concern_a_player_with_an_account(guest, anna, piotr):
    act(begin(guest))
    begin_match(anna, guest)
    begin_match(guest, guest_of_a_cup := create_guest(now=NOON), competition=7)
    begin_match(anna, piotr)
    act(begin_match(guest_of_a_cup, guest))
    assert delete_unmoved_matches(now=NOON + DAY) == 0
    assert Match.objects.count() == 5


def test_a_match_that_a_rematch_follows_stays_as_long_as_the_rematch(guest):
    match = begin(guest)
    resign(match_id=match.pk, player=guest, now=NOON)
    rematch = offer_rematch(match_id=match.pk, player=guest, now=NOON + DAY).match
    assert delete_unmoved_matches(now=NOON + DAY) == 0
    assert rematch is not None
    assert delete_unmoved_matches(now=NOON + 2 * DAY) == 2
    assert not Match.objects.exists()


def test_many_are_deleted_in_batches_each_at_the_same_cost(guest, monkeypatch, settings):
    settings.MAX_COMPUTER_MATCHES_OF_GUEST = 100
    monkeypatch.setattr(guest_matches, "BATCH", 5)
    costs = []
    for number in (5, 10):
        for _match in range(number):
            begin(guest)
        with CaptureQueriesContext(connection) as captured:
            assert delete_unmoved_matches(now=NOON + DAY) == number
        costs.append(len(captured))
    # One batch and two, and the look for another one.
    assert costs[1] < 2 * costs[0]
