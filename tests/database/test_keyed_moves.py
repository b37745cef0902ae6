"""Moves are keyed by match and ply."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from matches.clock import CORRESPONDENCE
from matches.models import Match, Move
from matches.services import start_match
from players.models import Player
from tests.matches.conftest import NOON

pytestmark = pytest.mark.both_databases

ROWS = [(0, "chance", "3", None, False), (1, "yellow", "@a1", 2500, False), (2, "red", "@b2", 0, True)]
FACTS = ("primary_key", "unique", "check", "index", "foreign_key", "orders", "type")


@pytest.fixture
def match(db: None) -> Match:
    """Start a match in which nothing has been stored."""
    yellow, red = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    return start_match(game="streetsoccer-board", yellow=yellow, red=red, time_control=CORRESPONDENCE, now=NOON)


def moves_of(match: Match) -> list[Move]:
    return [
        Move(match=match, ply=ply, actor=actor, text=text, thinking=thinking, is_drawn=is_drawn, played_at=NOON)
        for ply, actor, text, thinking, is_drawn in ROWS
    ]


def stored() -> list[Any]:
    return list(Move.objects.order_by("ply").values_list("ply", "actor", "text", "thinking", "is_drawn"))


def describe_table(table: str) -> dict[str, list[Any]]:
    """Return columns and constraints of a table, without the names that Django makes up."""
    read = connection.introspection
    with connection.cursor() as cursor:
        columns = [
            [column.name, str(column.type_code), column.null_ok, str(column.default)]
            for column in read.get_table_description(cursor, table)
        ]
        constraints = [
            [sorted(each["columns"] or []), *(str(each.get(key)) for key in FACTS)]
            for each in read.get_constraints(cursor, table).values()
        ]
    return {"columns": sorted(columns), "constraints": sorted(constraints, key=str)}


def test_the_table_is_that_of_the_model_and_lies_in_the_order_of_its_key_on_sqlite(transactional_db: None) -> None:
    migrated, statement = describe_table("matches_move"), None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'matches_move'")
            (statement,) = cursor.fetchone()
            assert statement.endswith("WITHOUT ROWID")
        with connection.schema_editor() as editor:
            editor.delete_model(Move)
            editor.create_model(Move)
        try:
            assert describe_table("matches_move") == migrated
        finally:
            if statement is not None:
                cursor.execute("DROP TABLE matches_move")
                cursor.execute(statement)


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
