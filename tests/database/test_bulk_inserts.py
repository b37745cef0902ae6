"""Inserts of many rows that have most of their values in common."""

from __future__ import annotations

import pytest
from django.db import DataError, IntegrityError, transaction

from database.bulk_inserts import insert_rows
from database.reserved_ids import reserve_ids
from matches.clock import CORRESPONDENCE
from matches.models import Match
from matches.services import start_match
from players.models import Player
from tests.matches.conftest import NOON

pytestmark = pytest.mark.django_db

ODD_NAMES = ["anna", '{"quoted, braced"}', "back\\slash, comma", "NULL", "Ünïcode"]


def make_rows(names: list[str]) -> list[Player]:
    return [
        Player(pk=number, username=name, email=f"{name}@example.org" if place % 2 else "")
        for place, (number, name) in enumerate(zip(reserve_ids(Player, len(names)), names, strict=True))
    ]


@pytest.mark.parametrize("names", [ODD_NAMES[:1], ODD_NAMES])
def test_inserted_rows_hold_what_bulk_create_would_have_stored(names: list[str]):
    rows = make_rows(names)
    insert_rows(rows)
    assert not any(row._state.adding for row in rows)
    stored = Player.objects.filter(username__in=names).order_by("pk")
    inserted = list(stored.values())
    stored.delete()
    Player.objects.bulk_create(rows)
    assert inserted == list(stored.values())
    assert [row["username"] for row in inserted] == names


def test_columns_that_are_empty_in_some_rows_and_moments_of_the_database_are_stored():
    anna, piotr = Player.objects.create(username="anna"), Player.objects.create(username="piotr")
    first, second, third = (
        start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=NOON)
        for _ in range(3)
    )
    stored = list(Match.objects.order_by("pk").values())
    Match.objects.all().delete()
    second.vacation_limit, second.rematch_of, third.seed = 5, first, b"\x00\xff" * 16
    insert_rows([first, second, third])
    again = list(Match.objects.order_by("pk").values())
    assert [row.pop("vacation_limit") for row in again] == [None, 5, None]
    assert [row.pop("rematch_of_id") for row in again] == [None, first.pk, None]
    assert [bytes(row.pop("seed")) for row in again][2] == b"\x00\xff" * 16
    assert all(row.pop("changed_at") is not None for row in again)
    assert again == [{name: row[name] for name in again[0]} for row in stored]


@pytest.mark.postgresql
def test_a_text_that_is_too_long_is_refused_and_not_cut():
    rows = make_rows(["anna", "x" * 1000])
    with pytest.raises(DataError), transaction.atomic():
        insert_rows(rows)
    assert not Player.objects.filter(username="anna").exists()


def test_of_rows_of_which_one_breaks_a_rule_of_the_table_none_is_inserted():
    rows = make_rows(["anna", "anna"])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(rows)
    assert not Player.objects.filter(username="anna").exists()
