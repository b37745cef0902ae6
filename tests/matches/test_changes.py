"""Whatever others see of a match or a seek is dated when it changes, and found by that; and others are notified."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from matches.clock import TimeControl
from matches.models import Colour, Match, Seek
from matches.selectors.changes import changed_matches, changed_seeks, last_change
from matches.selectors.matches import lively_matches
from matches.services import expire_due, pause_matches, resign, resume_matches, take_seek, withdraw_seek
from matches.services.adjudication import adjudicate_match, annul_match
from matches.services.extensions import extend_bank
from matches.services.notifications import send_end_notifications
from matches.signals import matches_changed, rows_changed
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, begin_match, heard, reread, seek_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

HOUR = timedelta(hours=1)
LONG_AFTER = NOON + timedelta(days=100)


@pytest.fixture
def published():
    """Yield the matches that others were notified of, each time they were."""
    with heard(matches_changed, "match_ids") as told:
        yield told


def changed_by(deed: Callable[[], object]) -> list[int]:
    """Do it, and return the matches that are dated later than all before."""
    before = last_change()
    assert before is not None
    deed()
    return [change.pk for change in changed_matches(after=before)]


THEN = NOON + 50 * HOUR
CHANGES: dict[str, Callable[[Match], object]] = {
    "a move": lambda match: act(match, YELLOW_SET_UP),
    "a resignation": lambda match: resign(match_id=match.pk, player=match.yellow, now=NOON),
    "an adjudication": lambda match: adjudicate_match(match_id=match.pk, winner=None, now=NOON),
    "the end of the time": lambda _match: expire_due(now=LONG_AFTER),
    "more time": lambda match: extend_bank(match_id=match.pk, side=Side.YELLOW, by=HOUR, now=THEN),
    "a pause": lambda _match: pause_matches(competition=7, now=THEN),
    "the end of a pause": lambda _match: resume_matches(competition=7, now=THEN + HOUR),
}


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_of_a_match_is_dated_and_published(what, anna, piotr, published):
    match = begin_match(anna, piotr, competition=7)
    if what == "the end of a pause":
        pause_matches(competition=7, now=THEN)
    published.clear()
    assert changed_by(lambda: CHANGES[what](match)) == [match.pk]
    assert {tuple(match_ids) for match_ids in published} in ({(match.pk,)}, {()})


def test_the_annulment_of_a_match_that_is_over_is_dated_and_published_once(begin, anna, published):
    match = resign(match_id=begin().pk, player=anna, now=NOON)
    published.clear()
    assert changed_by(lambda: annul_match(match_id=match.pk, now=NOON)) == [match.pk]
    assert changed_by(lambda: annul_match(match_id=match.pk, now=NOON)) == []
    assert published == [[match.pk]]


def test_a_change_that_nobody_sees_dates_nothing(begin, anna):
    match = resign(match_id=begin().pk, player=anna, now=NOON)
    assert changed_by(lambda: send_end_notifications(now=NOON)) == []
    assert reread(match).is_notified


def test_a_seek_is_dated_and_published_when_it_is_opened_taken_and_withdrawn(anna, piotr):
    with heard(rows_changed, "ids") as told:
        seeks = [
            seek_of(anna, colour=Colour.RANDOM, time_control=TimeControl.of_seconds(600, 0, 600)) for _ in range(2)
        ]
        opened = last_change()
        assert opened is not None
        assert changed_seeks(after=opened) == []
        match = take_seek(seek_id=seeks[0].pk, player=piotr, now=NOON)
        withdraw_seek(seek_id=seeks[1].pk, player=anna)
    first, second = changed_seeks(after=opened)
    assert (first.pk, first.status, first.match_id) == (seeks[0].pk, "taken", match.pk)
    assert (second.pk, second.status, second.match_id) == (seeks[1].pk, "withdrawn", None)
    assert told == [[seek.pk] for seek in seeks] * 2


def test_a_player_is_found_on_either_side_and_others_are_left_out(begin, anna, piotr, carla):
    match = begin()
    assert [change.pk for change in changed_matches(player_ids=[anna.pk])] == [match.pk]
    assert [change.pk for change in changed_matches(player_ids=[piotr.pk])] == [match.pk]
    assert changed_matches(player_ids=[carla.pk]) == []
    assert changed_matches(ids=[match.pk + 1]) == []


@pytest.mark.postgresql
def test_changes_since_a_moment_are_found_by_the_index(begin):
    begin()
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        for table in (Match, Seek):
            recent = table.objects.filter(changed_at__gt=NOON).order_by("changed_at", "pk")
            assert f"{table._meta.model_name}_changed" in recent.explain()


def test_the_match_that_changed_last_is_found_by_the_index(begin):
    begin()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET enable_seqscan = off")
            cursor.execute("SET enable_sort = off")
        assert "match_changed" in lively_matches(ply=12)[:1].explain()


def test_the_match_that_changed_last_comes_first_of_those_that_have_come_far_enough(begin):
    older, newer, young = (begin() for _ in range(3))
    for match in (newer, older):
        act(match, YELLOW_SET_UP)
    assert young.ply == 0
    assert list(lively_matches(ply=1)) == [older, newer]


@pytest.mark.postgresql
def test_a_new_match_is_dated_by_the_clock_of_the_database(anna, piotr):
    ahead = timezone.now() + timedelta(days=1)
    with time_machine.travel(ahead):
        match = reread(begin_match(anna, piotr))
    assert match.changed_at < ahead - HOUR
