"""The table of moves in partitions: no row is lost, moves go on, partitions are made ahead, old ones move."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections, transaction

from matches.models import Match, Move
from matches.services import move_partitions
from matches.services.move_partitions import REST, Partition, list_partitions, matches_ahead
from operations.metrics import render_waiting
from tests.database.describe_schema import describe_table
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


def partition_elsewhere(**options: object) -> list[str]:
    """Run the command in another thread, on a connection of its own."""
    try:
        return partition(**options)
    finally:
        connections.close_all()


def await_lock() -> None:
    """Wait until somebody waits for a lock."""
    end = time.monotonic() + 60
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
                " WHERE NOT granted AND datname = current_database()"
            )
            if cursor.fetchone()[0]:
                return
            assert time.monotonic() < end
            time.sleep(0.01)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_table_with_moves_is_partitioned_and_the_game_goes_on(restored: None, begin: StartMatch) -> None:
    before = describe_table("matches_move")
    match = act(begin(), YELLOW_SET_UP)
    size = match.pk
    said = partition(size=size, ahead=2)
    assert said[0] == "Partitioned: matches_move_from_0 has all moves until now."
    assert [(each.first, each.end) for each in list_partitions()] == [(0, 3 * size), (3 * size, 4 * size)]
    after = describe_table("matches_move")
    assert after["columns"] == before["columns"]
    assert after["constraints"] == before["constraints"]
    assert act(match, RED_SET_UP).ply > 1
    assert table_of(match) == {"matches_move_from_0"}
    assert match.moves.get(ply=0).text == YELLOW_SET_UP
    later = Match.objects.get(pk=begin().pk)
    Match.objects.filter(pk=later.pk).update(id=3 * size)
    later.pk = 3 * size
    assert table_of(act(later, YELLOW_SET_UP)) == {f"matches_move_from_{3 * size}"}
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE oid = 'matches_move'::regclass")
        assert cursor.fetchone()[0] > 0
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
    notices: list[str] = []
    connection.connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    with connection.cursor() as cursor:
        cursor.execute("SET client_min_messages TO debug1")
    partition(size=10, ahead=1)
    with connection.cursor() as cursor:
        cursor.execute("RESET client_min_messages")
        cursor.execute("SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass", [REST])
        left = {name for (name,) in cursor.fetchall()}
    made = [each for each in list_partitions() if each.first > beyond]
    assert [each.first for each in made] == [(beyond // 10 + 2) * 10]
    # PostgreSQL does not read the rest while it holds locks.
    implied = [text for text in notices if REST in text and "is implied by existing constraints" in text]
    assert len(implied) == len(made)
    assert "matches_move_ply_check" in left
    assert move_partitions.REST_RANGE not in left
    assert table_of(match) == {REST}


@pytest.mark.django_db
def test_a_table_that_is_not_partitioned_has_no_number_of_matches_ahead() -> None:
    assert matches_ahead() is None
    assert b"kickabout_partitioned_matches_ahead" not in render_waiting()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_metrics_say_for_how_many_matches_partitions_are_made(restored: None, begin: StartMatch) -> None:
    match = begin()
    partition(size=100, ahead=1)
    end = list_partitions()[-1].end
    assert matches_ahead() == end - 1 - match.pk >= 100
    assert f"kickabout_partitioned_matches_ahead {float(end - 1 - match.pk)}".encode() in render_waiting()
    Match.objects.filter(pk=match.pk).update(id=end - 1)
    assert matches_ahead() == 0
    Match.objects.filter(pk=end - 1).update(id=end + 5)
    assert matches_ahead() == 0
    # What is made then begins behind a gap, whose matches have no partition.
    partition(size=100, ahead=2)
    behind = [each for each in list_partitions() if each.first > end]
    assert behind[0].first == (end + 5) // 100 * 100 + 200
    assert matches_ahead() == 100 * len(behind)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_changes_a_match_can_come_to_its_moves_while_the_table_is_partitioned(
    restored: None, begin: StartMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_partitions, "LOCK_TIMEOUT", "60s")
    match = act(begin(), YELLOW_SET_UP)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(extensions=3)
            partitioning: Any = pool.submit(partition_elsewhere, size=match.pk, ahead=1)
            await_lock()
            assert match.moves.count() == 1
        assert partitioning.result(60)
    assert table_of(match) == {"matches_move_from_0"}


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_run_that_fails_leaves_the_table_as_it_was(begin: StartMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_partitions, "LOCK_TIMEOUT", "100ms")
    before = describe_table("matches_move")
    match = begin()
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Match.objects.filter(pk=match.pk).update(extensions=3)
        with pytest.raises(OperationalError, match="lock timeout"):
            pool.submit(partition_elsewhere, size=match.pk).result(60)
    assert describe_table("matches_move") == before
    assert list_partitions() == []


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
