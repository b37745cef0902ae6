"""The table of moves in partitions: no row is lost, moves go on, partitions are made ahead, old ones move."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from matches.models import Match, Move
from matches.services.move_partitions import REST, Partition, list_partitions
from tests.database.describe_schema import describe_schema
from tests.matches.conftest import StartMatch
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act


@pytest.fixture
def restored() -> Iterator[None]:
    """Put a table that is not partitioned back after the test."""
    yield
    with connection.schema_editor() as editor:
        editor.delete_model(Move)
        editor.create_model(Move)


def partition(**options: object) -> list[str]:
    out = StringIO()
    call_command("partition_moves", stdout=out, **options)
    return out.getvalue().splitlines()


def table_of(match: Match) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tableoid::regclass::text FROM matches_move WHERE match_id = %s", [match.pk])
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_table_with_moves_is_partitioned_and_the_game_goes_on(restored: None, begin: StartMatch) -> None:
    before = describe_schema()["matches_move"]
    match = act(begin(), YELLOW_SET_UP)
    size = match.pk
    said = partition(size=size, ahead=2)
    assert said[0] == "Partitioned: matches_move_from_0 has all moves until now."
    assert [(each.first, each.end) for each in list_partitions()] == [(0, 3 * size), (3 * size, 4 * size)]
    after = describe_schema()["matches_move"]
    assert after["columns"] == before["columns"]
    assert after["constraints"] == before["constraints"]
    assert act(match, RED_SET_UP).ply > 1
    assert table_of(match) == {"matches_move_from_0"}
    assert match.moves.get(ply=0).text == YELLOW_SET_UP
    later = Match.objects.get(pk=begin().pk)
    Match.objects.filter(pk=later.pk).update(id=3 * size)
    later.pk = 3 * size
    assert table_of(act(later, YELLOW_SET_UP)) == {f"matches_move_from_{3 * size}"}
    # With what is there nothing more is needed until the last match comes near the end.
    assert partition(size=size, ahead=1) == [f"Made: matches_move_from_{4 * size}, from match {4 * size} on."]
    assert partition(size=size, ahead=1) == []
    later.delete()
    assert not Move.objects.filter(match=3 * size).exists()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_moves_for_which_no_partition_was_made_are_kept_all_the_same(restored: None, begin: StartMatch) -> None:
    match = begin()
    partition(size=match.pk, ahead=1)
    beyond = list_partitions()[-1].end
    Match.objects.filter(pk=match.pk).update(id=beyond)
    match.pk = beyond
    assert table_of(act(match, YELLOW_SET_UP)) == {REST}
    partition(size=10, ahead=1)
    assert list_partitions()[-1].first > beyond
    assert table_of(match) == {REST}


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_old_partitions_move_to_another_tablespace(restored: None, begin: StartMatch) -> None:
    match = act(begin(), YELLOW_SET_UP)
    partition(size=match.pk, ahead=2)
    first, second = list_partitions()[:2]
    assert isinstance(first, Partition)
    # The tablespace in which they are already is one, too.
    assert partition(size=match.pk, ahead=2, before=second.first, tablespace="pg_default") == [
        f"Moved: {first.name} to pg_default."
    ]
    assert match.moves.count() == 1


@pytest.mark.django_db
def test_the_command_says_what_it_cannot_do() -> None:
    with pytest.raises(CommandError, match=r"Only PostgreSQL|belong together"):
        partition(before=7)
