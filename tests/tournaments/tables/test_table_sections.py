"""The sections by which pages of a ladder's table are found are always in the order of its rows."""

from itertools import product

import pytest
from django.db import connection
from django.db.models import Case, Q, When
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests.tournaments import verbs
from tests.tournaments.settled_competitions import NOON
from tournaments.models import Entry, EntryStatus, Group, Seat, Standing, TableSection
from tournaments.records import table_sections
from tournaments.records.table_sections import seats_in_sections, sections_of_rows, stored_sections
from tournaments.tables.selectors.tables import table_page, table_part
from tournaments.tables.services.standings import mark_standings_stale

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_sections(monkeypatch):
    monkeypatch.setattr(table_sections, "SECTION", 2)


def placed():
    rows = Standing.objects.filter(place__isnull=False).order_by("place", "seat_id")
    return list(rows.values_list("seat_id", flat=True))


def test_sections_hold_the_rows_in_their_order_and_go_when_the_table_is_shorter():
    ladder, _players = verbs.points_ladder(7, results=6)
    group = verbs.group_of(ladder)
    seats = placed()
    assert len(seats) > 4
    assert [seat for part in stored_sections(group_id=group.pk).values() for seat in part] == seats
    assert all(len(part) == 2 for part in list(stored_sections(group_id=group.pk).values())[:-1])
    leaving = Entry.objects.filter(seats__in=seats[:3])
    leaving.update(status=EntryStatus.GONE)
    mark_standings_stale(group_id=group.pk, now=NOON)
    verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
    # Equal ones may change places with those gone whom they had met.
    left = placed()
    assert set(left) == set(seats[3:])
    assert stored_sections(group_id=group.pk) == sections_of_rows(group_id=group.pk)
    assert [seat for part in stored_sections(group_id=group.pk).values() for seat in part] == left


def test_rows_are_found_wherever_they_begin():
    ladder, _players = verbs.points_ladder(7, results=6)
    group = verbs.group_of(ladder)
    seats = placed()
    for start, size in product(range(8), (1, 2, 3, 7)):
        found = seats_in_sections(group_id=group.pk, start=start, end=start + size)
        assert found == (seats[start : start + size], len(seats), 7)


@pytest.mark.parametrize("build", [lambda: verbs.points_ladder(7, results=3), lambda: verbs.challenge_ladder(7)])
def test_every_page_has_its_part_of_the_table_with_the_unplaced_at_the_end(build):
    ladder, _players = build()
    group, stage = verbs.group_of(ladder), ladder.first_stage
    whole = [row.seat.pk for row in table_page(stage=stage, group_id=group.pk).rows]
    assert len(set(whole)) == 7
    for size in (1, 2, 3, 4):
        pages = [table_page(stage=stage, group_id=group.pk, number=number, size=size) for number in range(1, 8)]
        assert [row.seat.pk for page in pages[: pages[0].pages] for row in page.rows] == whole
        for start in range(8):
            rows, is_more = table_part(stage=stage, group_id=group.pk, start=start, size=size)
            assert [row.seat.pk for row in rows] == whole[start : start + size]
            assert is_more == (start + size < 7)


def test_a_newcomer_is_on_the_page_though_somebody_has_left_at_the_same_time():
    ladder, _players = verbs.points_ladder(6, results=9)
    group, stage = verbs.group_of(ladder), ladder.first_stage
    count = len(table_page(stage=stage, group_id=group.pk).rows)
    leaver = Entry.objects.filter(competition=ladder, seats__has_place=True).order_by("pk")[0]
    verbs.leave(leaver)
    newcomer = Player.objects.create(username="newcomer", date_joined=NOON)
    entry = verbs.enter(ladder, newcomer)
    entrants = Entry.objects.filter(competition=ladder, status=EntryStatus.ACTIVE).count()
    assert Group.objects.get(pk=group.pk).standings_stale_since is not None
    for size in (50, count, 2):
        pages = -(-(count + 1) // size)
        shown = [
            table_page(stage=stage, group_id=group.pk, number=number, size=size, entrants=entrants)
            for number in range(1, pages + 1)
        ]
        found = [row.entry.pk for page in shown for row in page.rows]
        assert (found[-1], len(found), len(set(found))) == (entry.pk, count + 1, count + 1)
        assert (shown[-1].number, shown[-1].pages, shown[-1].total) == (pages, pages, count + 1)
    verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
    rows = table_page(stage=stage, group_id=group.pk, entrants=entrants).rows
    assert len(rows) == count
    assert rows[-1].entry.pk == entry.pk
    assert verbs.faults_of(ladder) == []


def noted():
    return set(Seat.objects.filter(has_place=True).values_list("pk", flat=True))


def test_the_table_notes_which_seats_have_a_place_and_making_it_again_mends_the_notes():
    ladder, _players = verbs.points_ladder(6, results=2)
    assert noted() == set(placed())
    assert 0 < len(noted()) < 6
    with CaptureQueriesContext(connection) as captured:
        table_page(stage=ladder.first_stage, group_id=verbs.group_of(ladder).pk, entrants=6)
    assert 'NOT U0."has_place" AND U0."is_on_ladder"' in captured.captured_queries[-1]["sql"]
    some = placed()[0]
    for wrong in (~Q(pk=some), Q(pk=some), Q(pk__gt=0)):
        Seat.objects.update(has_place=Case(When(wrong, then=True), default=False))
        faults = verbs.faults_of(ladder)
        assert [fault for fault in faults if "is noted as" in fault]
        verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
        assert noted() == set(placed())
        assert verbs.faults_of(ladder) == []


def test_a_start_that_is_taken_back_leaves_no_place_and_no_section():
    ladder, players = verbs.points_ladder(4, results=4)
    ladder.organisers.add(players[0])
    assert noted()
    assert TableSection.objects.exists()
    verbs.undo_start(ladder, players[0])
    assert not noted()
    assert not TableSection.objects.exists()


def test_verification_finds_sections_in_another_order_and_making_the_table_again_mends_them():
    ladder, _players = verbs.points_ladder(5, results=5)
    section = TableSection.objects.get(number=0)
    section.seats = section.seats[::-1]
    section.save()
    faults = verbs.faults_of(ladder)
    assert any("the sections by which its pages are found are not in the order of its rows" in each for each in faults)
    TableSection.objects.filter(number=1).delete()
    verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
    assert [seat for part in stored_sections(group_id=verbs.group_of(ladder).pk).values() for seat in part] == placed()
