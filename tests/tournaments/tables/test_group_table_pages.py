"""The short tables of many groups, on both databases."""

from __future__ import annotations

import pytest

from tests.matches.test_queries import queries_of
from tests.tournaments.pages.parts import ADVANCE, begin_groups, make_stages, play_rounds
from tournaments.models import Cup, Entry, EntryStatus, Seat, Stage, Standing
from tournaments.office.stage_names import name_source
from tournaments.records.stages import plan_entrants, stages_of
from tournaments.tables.selectors.group_tables import MIN_ROWS, GoingOn, count_before, short_tables, who_goes_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def groups():
    """Make two groups of twelve, of which the first round has been played."""
    cup = make_stages(24, grouping={"groups": 2, "size": None})
    begin_groups(cup)
    play_rounds(cup, 1)
    return list(stages_of(cup)[0].groups)


def test_the_first_rows_of_each_group_are_read_in_two_queries(groups):
    tables = []
    assert len(queries_of(lambda: tables.extend(short_tables(groups)))) == 2
    assert [[row.place for row in table.rows] for table in tables] == [list(range(1, MIN_ROWS + 1))] * 2
    assert [{row.standing.group_id for row in table.rows} for table in tables] == [{group.pk} for group in groups]


def test_ones_own_row_comes_too_once(groups):
    for place, places in ((11, [*range(1, MIN_ROWS + 1), 11]), (2, [*range(1, MIN_ROWS + 1)])):
        own = Standing.objects.select_related("seat__entry").get(group=groups[1], place=place).seat.entry
        first, second = short_tables(groups, mine=own)
        assert ([row.place for row in first.rows], [row.place for row in second.rows]) == (
            list(range(1, MIN_ROWS + 1)),
            places,
        )


def test_before_any_table_the_seeds_are_the_order(groups):
    Standing.objects.all().delete()
    table = short_tables(groups)[0]
    seeded = Seat.objects.filter(group=groups[0]).order_by("seed")[:MIN_ROWS]
    assert [(row.place, row.entry.pk) for row in table.rows] == [(None, seat.entry_id) for seat in seeded]


def test_stages_are_planned_from_each_other_as_far_as_they_can_be(groups):
    cup = groups[0].stage.competition
    cup.stages.filter(number=2).update(number=3)
    second = Stage.objects.create(
        competition=cup,
        number=2,
        format="round-robin",
        options={"cycles": 1},
        grouping={"groups": 2, "size": None},
        advance={"first": 1, "best": 0, "above_percent": None, "seeding": "crossed"},
    )
    cup.refresh_from_db()

    def plan(number):
        planned = plan_entrants(stages_of(cup), number)
        return None if planned is None else [name_source(each) for each in planned]

    assert plan(3) == ["Winner of group A", "Winner of group B"]
    assert len(plan(2)) == 4
    assert plan(1) is None
    second.advance = second.advance | {"seeding": "draw"}
    second.save()
    cup.refresh_from_db()
    assert (len(plan(2)), plan(3)) == (4, None)


def test_entrants_who_have_withdrawn_do_not_count_among_those_who_go_on(groups):
    group = groups[0]
    rows = list(Standing.objects.filter(group=group).select_related("seat__entry").order_by("place"))
    Entry.objects.filter(pk__in=[rows[0].seat.entry_id, rows[9].seat.entry_id]).update(status=EntryStatus.GONE)
    Stage.objects.filter(pk=group.stage_id).update(advance={**ADVANCE, "first": 9})
    fresh = list(stages_of(Cup.objects.get(slug="cup"))[0].groups)
    table = short_tables(fresh)[0]
    assert [row.place for row in table.rows] == list(range(1, 11))
    going_on = {row.seat.entry_id for row in rows if row.place in {*range(2, 10), 11}}
    assert {row.entry.pk for row in table.rows if row.going_on != GoingOn.NO} == going_on - {rows[10].seat.entry_id}
    # So it is from any place of the table on.
    seats = list(Seat.objects.filter(group=group, standing__place__gte=10).order_by("standing__place"))
    assert set(who_goes_on(fresh[0], seats, set(), before=count_before(seats[0]))) == {rows[10].seat.entry_id}
