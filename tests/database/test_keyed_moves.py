"""Moves are keyed by match and ply, also those of a site that had numbered them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from matches.clock import CORRESPONDENCE
from matches.models import Match, Move
from matches.services import start_match
from players.models import Player
from tests.database.describe_schema import describe_table
from tests.matches.conftest import NOON

migration = import_module("matches.migrations.0018_key_moves_by_match_and_ply")

BEFORE = ("matches", "0017_find_matches_by_game")
ROWS = [(0, "chance", "3", None, False), (1, "yellow", "@a1", 2500, False), (2, "red", "@b2", 0, True)]


@pytest.fixture
def match(db: None) -> Match:
    """Start a match in which nothing has been stored."""
    yellow, red = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    return start_match(game="streetsoccer-board", yellow=yellow, red=red, time_control=CORRESPONDENCE, now=NOON)


@pytest.fixture
def numbered_moves(transactional_db: None, match: Match) -> Iterator[type[Any]]:
    """Make the table as it was, with some moves; gives its model."""
    old: type[Any] = (
        MigrationLoader(None, replace_migrations=False).project_state(BEFORE).apps.get_model("matches", "Move")
    )
    with connection.schema_editor() as editor:
        editor.delete_model(Move)
        editor.create_model(old)
    Move.objects.bulk_create(moves_of(match))
    yield old
    with connection.cursor() as cursor:
        is_keyed = connection.introspection.get_primary_key_columns(cursor, "matches_move") == migration.KEY
    if not is_keyed:
        with connection.schema_editor() as editor:
            editor.delete_model(old)
            editor.create_model(Move)


def moves_of(match: Match) -> list[Move]:
    return [
        Move(match=match, ply=ply, actor=actor, text=text, thinking=thinking, is_drawn=is_drawn, played_at=NOON)
        for ply, actor, text, thinking, is_drawn in ROWS
    ]


def stored() -> list[Any]:
    return list(Move.objects.order_by("ply").values_list("ply", "actor", "text", "thinking", "is_drawn"))


def migrate() -> None:
    with connection.schema_editor(atomic=False) as editor:
        migration.key_by_match_and_ply(apps, editor)


def test_a_table_of_numbered_moves_keeps_its_rows_and_becomes_that_of_a_new_site(
    transactional_db: None, request: pytest.FixtureRequest
) -> None:
    new = describe_table("matches_move")
    old = request.getfixturevalue("numbered_moves")
    assert [each.pk for each in old.objects.order_by("ply")] == [1, 2, 3]
    assert describe_table("matches_move") != new
    migrate()
    assert stored() == ROWS
    assert describe_table("matches_move") == new
    # A run that was killed before it was noted comes again.
    migrate()
    assert stored() == ROWS


@pytest.mark.postgresql
@pytest.mark.parametrize("is_valid", [True, False])
def test_a_run_goes_on_with_the_index_that_an_interrupted_one_has_left(
    numbered_moves: type[Any], is_valid: bool
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE UNIQUE INDEX {migration.NEW_INDEX} ON matches_move (match_id, ply)")
        cursor.execute(
            "UPDATE pg_index SET indisvalid = %s WHERE indexrelid = to_regclass(%s)", [is_valid, migration.NEW_INDEX]
        )
    migrate()
    assert stored() == ROWS
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class JOIN pg_index ON oid = indexrelid WHERE indrelid = 'matches_move'::regclass"
        )
        assert cursor.fetchall() == [("matches_move_pkey",)]


@pytest.mark.django_db
def test_a_dump_of_moves_is_loaded_again(match: Match, tmp_path: Path) -> None:
    Move.objects.bulk_create(moves_of(match))
    dump = tmp_path / "moves.json"
    call_command("dumpdata", "matches.Move", output=dump, stdout=StringIO())
    Move.objects.all().delete()
    call_command("loaddata", dump, verbosity=0)
    assert stored() == ROWS


@pytest.mark.django_db
def test_a_move_is_found_by_its_match_and_ply(match: Match) -> None:
    Move.objects.bulk_create(moves_of(match))
    assert Move.objects.get(pk=(match.pk, 1)).text == "@a1"
    assert Match.objects.filter(pk=match.pk, moves__text="@b2").exists()
    match.delete()
    assert not Move.objects.exists()
