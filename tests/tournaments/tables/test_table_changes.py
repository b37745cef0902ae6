"""The database finds of a ladder's stored table what Python finds: who stands where, why, and what has changed."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import example, given
from hypothesis import strategies as st

from formats.scoring.tiebreaks import TIEBREAKS
from tests.tournaments.settled_competitions import HOUR, NOON, make_ladder, make_players
from tests.tournaments.verbs import group_of, recompute_tables
from tournaments.models import Entry, EntryStatus, Fixture, Ladder, Standing
from tournaments.records.standings import compute_table
from tournaments.records.table_changes import find_changes, is_ordered_by_database
from tournaments.tables.services.standing_rows import read_lines
from tournaments.tables.services.standings import compare_in_python

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

PLAYERS = 5
LATER = NOON + 100 * HOUR
BY_SQL = [key for key, tiebreak in TIEBREAKS.items() if tiebreak.sql is not None]
RESULTS = st.lists(
    st.tuples(
        st.permutations(range(PLAYERS)).map(lambda order: order[:2]),
        st.sampled_from([(5, 0), (4, 1), (3, 2), (2, 2), (2, 3), (0, 0), (0, 5)]),
        st.tuples(st.integers(0, 3), st.integers(0, 3)),
        st.booleans(),
    ),
    max_size=12,
)
TABLES = st.tuples(
    RESULTS,
    st.lists(st.integers(0, 3), min_size=PLAYERS, max_size=PLAYERS),
    st.lists(st.sampled_from(EntryStatus), min_size=PLAYERS, max_size=PLAYERS),
)
NOTHING: tuple[list[Any], list[int], list[EntryStatus]] = ([], [0] * PLAYERS, [EntryStatus.ACTIVE] * PLAYERS)
LEVEL = ([([0, 1], (2, 2), (1, 1), False)], [3, 2, 2, 1, 1], [EntryStatus.ACTIVE] * PLAYERS)


def change(ladder: Ladder, entries: list[Entry], table) -> None:
    """Make these the results, the lots and the standings of entrants; some are older than the window."""
    results, draws, statuses = table
    for entry, draw, status in zip(entries, draws, statuses, strict=True):
        Entry.objects.filter(pk=entry.pk).update(draw=draw, status=status)
    Fixture.objects.all().delete()
    group = group_of(ladder)
    Fixture.objects.bulk_create(
        Fixture(
            competition=ladder,
            group=group,
            yellow=entries[yellow],
            red=entries[red],
            created_at=NOON,
            counted_at=NOON,
            finished_at=NOON - timedelta(days=90) if is_old else NOON + number * HOUR,
            ending="normal-time",
            is_in_history=True,
            points_yellow=points[0],
            points_red=points[1],
            goals_yellow=goals[0],
            goals_red=goals[1],
        )
        for number, ((yellow, red), points, goals, is_old) in enumerate(results)
    )


@given(
    st.lists(st.sampled_from(BY_SQL), max_size=5, unique=True),
    st.integers(0, 2),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([0, 30]),
    st.lists(TABLES, min_size=2, max_size=2),
)
@example([], 0, None, 0, [NOTHING, LEVEL])
@example(["points", "draw"], 0, None, 0, [NOTHING, LEVEL])
@example(["points-per-match", "draw"], 1, 1, 30, [LEVEL, NOTHING])
def test_the_database_finds_the_table_that_python_finds(tiebreaks, least, best, window, tables):
    with transaction.atomic():
        ladder, entries = make_ladder(
            make_players(PLAYERS), tiebreaks=tiebreaks, min_matches=least, best_results=best, window_days=window
        )
        for table in tables:
            change(ladder, entries, table)
            group = group_of(ladder)
            assert is_ordered_by_database(group.stage)
            expected, found = compare_in_python(group=group, now=LATER), find_changes(group=group, now=LATER)
            assert found.number == expected.number
            assert sorted(found.gone) == sorted(expected.gone)
            assert sorted(found.noted) == sorted(expected.noted)
            assert bool(found.moved) == bool(expected.moved)
            assert bool(found.counted) == bool(expected.counted)
            assert recompute_tables(competition_id=ladder.pk, now=LATER) == found.number
            lines = {line.seat_id: line for line in compute_table(group=group, now=LATER)}
            assert read_lines(group_id=group.pk) == lines
            assert find_changes(group=group, now=LATER).number == 0
        transaction.set_rollback(True)


def test_values_of_tiebreaks_that_the_table_no_longer_has_go():
    ladder, _entries = make_ladder(make_players(2))
    recompute_tables(competition_id=ladder.pk, now=NOON)
    Standing.objects.update(values={"rating": "1500"})
    assert recompute_tables(competition_id=ladder.pk, now=NOON) == 2
    assert [row.values for row in Standing.objects.all()] == [{}, {}]


@pytest.mark.parametrize("tiebreak", sorted(TIEBREAKS))
def test_tables_of_ladders_are_ordered_by_the_database_where_sums_and_the_draw_do(tiebreak):
    ladder, _entries = make_ladder(make_players(2), tiebreaks=["points", tiebreak])
    assert is_ordered_by_database(ladder.first_stage) == (tiebreak in BY_SQL)
    assert (TIEBREAKS[tiebreak].sql is None) == (TIEBREAKS[tiebreak].needs_results or tiebreak == "rating")
