"""Players without a place on a points ladder come after the others in the order of entry, however many they are."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from benchmarks.grown_site import vacuum
from benchmarks.pages import count_pages, plans_by_index
from players.models import Player
from tests.marks import nightly
from tests.matches.locks import do_while_others_come
from tests.matches.test_races import race
from tests.tournaments import verbs
from tests.tournaments.running.test_due_pairings import FORMATS, Site
from tests.tournaments.settled_competitions import NOON
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.decisions.services.undo.starts import take_back_start
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.making.services.competitions import change_competition
from tournaments.models import Competition, Entry, EntryStatus, Fixture, Group, Seat, Stage, Standing, TableSection
from tournaments.office.services.locks import lock_competition
from tournaments.records import table_sections
from tournaments.records.competitions import IN_COMPETITION
from tournaments.running.services.entry_rows import make_entry, store_entries
from tournaments.running.services.ladder_pairings import pair_ladders
from tournaments.running.services.ladder_seats import note_on_ladder, noted_wrongly
from tournaments.running.services.numbers import store_numbers
from tournaments.running.services.recount import recount_competition
from tournaments.running.services.settlement import settle_finished
from tournaments.tables.selectors.tables import table_page, table_part
from tournaments.tables.services.standings import mark_standings_stale, recompute_standings

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

WHY = "It has to be."


def in_order(ladder):
    """Return the seats in the order of the table, by what is stored of places and entries alone."""
    seats = list(Seat.objects.filter(stage__competition=ladder.pk).select_related("entry", "standing"))
    places = dict(Standing.objects.filter(place__isnull=False).values_list("seat", "place"))
    placed = sorted((places[seat.pk], seat.pk) for seat in seats if seat.pk in places)
    others = [seat for seat in seats if seat.pk not in places and seat.entry.status in IN_COMPETITION]
    return [key for _place, key in placed] + [seat.pk for seat in sorted(others, key=lambda seat: seat.entry_id)]


def check_pages(ladder, *sizes):
    """Hold that pages and parts of every size are what follows each other in the table."""
    stage, group_id, seats = ladder.first_stage, verbs.group_of(ladder).pk, in_order(ladder)
    for size in sizes:
        count = max(1, -(-len(seats) // size))
        pages = [table_page(stage=stage, group_id=group_id, number=each, size=size) for each in range(1, count + 1)]
        assert [row.seat.pk for page in pages for row in page.rows] == seats
        assert {(page.pages, page.total) for page in pages} == {(count, len(seats))}
        for far in (count + 1, 10**12):
            last = table_page(stage=stage, group_id=group_id, number=far, size=size)
            assert (last.number, last.rows) == (count, pages[-1].rows)
        for first in range(0, len(seats) + 2, size):
            rows, is_more = table_part(stage=stage, group_id=group_id, start=first, size=size)
            assert [row.seat.pk for row in rows] == seats[first : first + size]
            assert is_more == (first + size < len(seats))


@pytest.mark.parametrize("seed", [0, *nightly(range(1, 6))])
def test_pages_follow_each_other_while_players_play_come_and_leave(seed, monkeypatch):
    monkeypatch.setattr(table_sections, "SECTION", 2)
    monkeypatch.setitem(FORMATS, "points", {"games_each": 1, "rematch_days": 0, "min_matches": 1})
    site = Site(seed)
    ladder = site.ladders[0]
    for _each in range(30):
        site.act()
        verbs.settle_all(site.now)
        pair_ladders(now=site.now)
        if site.source.random() < 0.3:
            verbs.recompute_tables(competition_id=ladder.pk, now=site.now)
        assert not noted_wrongly(Seat.objects.all()).exists()
        check_pages(ladder, site.source.randrange(1, 5))
    for _again in range(2):
        check_pages(ladder, 1, 2, 3, 50)
        verbs.recompute_tables(competition_id=ladder.pk, now=site.now)
    assert verbs.faults_of(ladder, site.now) == []


def test_a_player_called_back_by_a_decision_taken_back_is_on_the_ladder_again():
    organiser = Player.objects.create(username="organiser", is_superuser=True)
    ladder, _players = verbs.points_ladder(2, results=0)
    fixture = verbs.running(ladder)[0]
    verbs.leave(fixture.red)
    for each in verbs.running(ladder):
        verbs.adjudicate(each, None, organiser)
    settle_finished(now=NOON)
    gone = Seat.objects.get(entry=fixture.red_id)
    assert (gone.entry.status, gone.is_on_ladder) == (EntryStatus.GONE, False)
    take_back_decision(fixture_id=fixture.pk, confirm=True, actor=organiser, reason=WHY, now=NOON)
    back = Seat.objects.get(entry=fixture.red_id)
    assert (back.entry.status, back.is_on_ladder) == (EntryStatus.ON_HOLD, True)


def test_nobody_in_a_cup_is_noted_as_being_on_a_ladder():
    cup, entries = verbs.start_cup(4)
    verbs.withdraw(entries[0], entries[0].player)
    assert not Seat.objects.filter(is_on_ladder=True).exists()
    assert verbs.faults_of(cup) == []


def test_a_change_of_format_notes_anew_who_is_on_a_ladder():
    cup, olga = verbs.make_cup(), Player.objects.create(username="olga")
    verbs.enter_all(cup, verbs.make_players(3))
    for key in ("challenge-ladder", "knock-out", "points-ladder"):
        wanted = Stage(format=key, options={}, tiebreaks=["points", "draw"])
        change_competition(competition=cup, stage=wanted, changed=["format"], actor=olga, now=NOON)
        assert Seat.objects.filter(is_on_ladder=key != "knock-out").count() == 3
    check_pages(Competition.objects.get(pk=cup.pk), 2)


@pytest.mark.parametrize("build", [lambda: verbs.points_ladder(4, results=2), lambda: verbs.challenge_ladder(4)])
def test_a_wrong_note_is_found_and_mended_by_recounting(build):
    ladder, _players = build()
    first, last = Seat.objects.order_by("pk")[0], Seat.objects.order_by("-pk")[0]
    Entry.objects.filter(pk=last.entry_id).update(status=EntryStatus.GONE, left_at=NOON)
    Seat.objects.filter(pk=first.pk).update(is_on_ladder=False)
    faults = verbs.faults_of(ladder)
    assert [fault for fault in faults if "is noted as o" in fault] == [
        f"Ladder: seat {first.pk} is noted as off the ladder, but its entry is on it.",
        f"Ladder: seat {last.pk} is noted as on the ladder, but its entry is off it.",
    ]
    with transaction.atomic():
        recount_competition(competition=lock_competition(competition_id=ladder.pk), now=NOON)
    assert not noted_wrongly(Seat.objects.all()).exists()


def add_newcomers(ladder, count):
    """Let so many enter a ladder who have no result, all at once."""
    first = Player.objects.count()
    players = Player.objects.bulk_create(
        Player(username=f"newcomer-{number}", date_joined=NOON) for number in range(first, first + count)
    )
    with transaction.atomic():
        locked = lock_competition(competition_id=ladder.pk)
        entries = [make_entry(competition=locked, player=player, now=NOON) for player in players]
        store_entries(competition=locked, entries=entries, now=NOON)


@pytest.mark.parametrize("results", [0, 6])
def test_a_page_takes_as_many_queries_however_many_have_no_place(results):
    ladder, _players = verbs.points_ladder(6, results=results)
    stage, group_id = ladder.first_stage, verbs.group_of(ladder).pk
    add_newcomers(ladder, 10)
    for _more in range(2):
        total = len(in_order(ladder))
        for number in (1, 2, -(-total // 10) // 2, -(-total // 10)):
            with CaptureQueriesContext(connection) as captured:
                table_page(stage=stage, group_id=group_id, number=number, size=10)
            assert len(captured) <= 3
            with CaptureQueriesContext(connection) as captured:
                table_part(stage=stage, group_id=group_id, start=10 * number - 10, size=10)
            assert len(captured) <= 4
        with CaptureQueriesContext(connection) as captured:
            table_page(stage=stage, group_id=group_id, number=10**6, size=10)
        assert len(captured) <= 4
        add_newcomers(ladder, 60)


def touched(ladder, number):
    """Return how many pages of the database a page of 50 rows of the table touches."""
    with CaptureQueriesContext(connection) as captured:
        table_page(stage=ladder.first_stage, group_id=verbs.group_of(ladder).pk, number=number)
    with plans_by_index():
        return sum(count_pages(query["sql"].replace("%", "%%"), ()) for query in captured.captured_queries)


def pack():
    """Make indexes as small as they are when new: rows of other tests may have given one a level more."""
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"REINDEX TABLE {connection.ops.quote_name(table)}")
    vacuum()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_first_and_the_last_page_touch_as_much_of_the_database_however_many_have_no_place():
    ladder = verbs.make_ladder(min_matches=1)
    verbs.start(ladder)
    # Indexes have as many levels with 700 rows as with 5,000.
    add_newcomers(ladder, 700)
    pack()
    few = [touched(ladder, number) for number in (1, 14)]
    add_newcomers(ladder, 4300)
    pack()
    first, deep, last = (touched(ladder, number) for number in (1, 50, 100))
    assert max(first, last) <= max(few) + 20
    # 2,500 rows lie on about ten pages of an index, and on forty of the table if they have changed meanwhile.
    assert deep <= first + 80


@pytest.fixture
def _quiet(monkeypatch):
    """Let no worker hear: what follows is done by the test itself."""
    monkeypatch.setattr("tournaments.office.services.after_commit._send", lambda *_: None)
    monkeypatch.setattr("matches.services.after_commit._send_end", lambda _: None)
    monkeypatch.setattr("matches.services.after_commit._send_ends", lambda _: None)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_quiet")
def test_it_is_noted_right_who_has_a_place_however_players_come_and_leave_meanwhile():
    ladder, players = verbs.points_ladder(8, results=5)
    group = verbs.group_of(ladder)
    newcomers = verbs.make_players(3, prefix="newcomer")
    gone = verbs.withdraw(Entry.objects.latest("pk"))
    for newcomer, entry in zip(newcomers, Entry.objects.filter(player__in=players[:3]).order_by("pk"), strict=True):
        mark_standings_stale(group_id=group.pk, now=NOON)
        outcomes = race(
            partial(recompute_standings, group_id=group.pk, now=NOON),
            partial(recompute_standings, group_id=group.pk, now=NOON),
            partial(enter_competition, competition_id=ladder.pk, player=newcomer, now=NOON),
            partial(withdraw_entry, entry_id=entry.pk, actor=None, reason=WHY, now=NOON),
            partial(enter_competition, competition_id=ladder.pk, player=gone.player, now=NOON),
        )
        assert outcomes == ["ok"] * 5
        check_pages(ladder, 3)
        recompute_standings(group_id=group.pk, now=NOON)
        check_pages(ladder, 3)
        assert not [fault for fault in verbs.faults_of(ladder) if "noted" in fault]
        gone = entry


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_quiet")
def test_a_table_that_is_made_while_somebody_leaves_holds_nothing_that_they_wait_for():
    ladder, _players = verbs.points_ladder(4, results=0)
    group, fixture = verbs.group_of(ladder), verbs.running(ladder)[0]
    verbs.end(fixture, fixture.yellow)
    Group.objects.filter(pk=group.pk).update(window_since=None)

    def depart():
        locked = lock_competition(competition_id=ladder.pk)
        Entry.objects.filter(pk=fixture.yellow_id).update(status=EntryStatus.GONE, left_at=NOON)
        note_on_ladder(entries=[fixture.yellow])
        store_numbers(competition_id=locked.pk)

    def lock_what_tables_write():
        with transaction.atomic():
            list(Group.objects.filter(pk=group.pk).select_for_update(no_key=True, nowait=True))
            list(Fixture.objects.filter(pk=fixture.pk).select_for_update(no_key=True, nowait=True))

    outcomes = do_while_others_come(
        depart, partial(recompute_standings, group_id=group.pk, now=NOON), lock_what_tables_write
    )
    assert outcomes == ["ok"] * 2
    left = Seat.objects.get(entry=fixture.yellow_id)
    assert (left.is_on_ladder, left.has_place) == (False, False)
    assert Fixture.objects.get(pk=fixture.pk).is_in_history
    check_pages(ladder, 2)
    assert not [fault for fault in verbs.faults_of(ladder) if "seat" in fault]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_quiet")
def test_a_start_is_taken_back_when_the_table_that_is_being_made_is_there():
    ladder, players = verbs.points_ladder(4, results=4)
    ladder.organisers.add(players[0])
    group_id = verbs.group_of(ladder).pk
    Standing.objects.all().delete()
    mark_standings_stale(group_id=group_id, now=NOON)
    taken_back = partial(
        take_back_start, competition_id=ladder.pk, actor=players[0], reason=WHY, now=NOON, confirm=True
    )
    assert do_while_others_come(partial(recompute_standings, group_id=group_id, now=NOON), taken_back) == ["ok"]
    assert not Standing.objects.exists()
    assert not TableSection.objects.exists()
    assert not Seat.objects.filter(has_place=True).exists()
    check_pages(ladder, 3)
