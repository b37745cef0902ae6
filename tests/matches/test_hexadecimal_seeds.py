"""Seeds that earlier versions kept as bytes are kept in hexadecimal, and can go back."""

from importlib import import_module

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from matches.models import SpentSeed
from tests.matches.conftest import SEED

KEY = ("matches", "0021_keep_seeds_in_hexadecimal")
migration = import_module(f"matches.migrations.{KEY[1]}").Migration(KEY[1], KEY[0])


def stored_seeds() -> list[object]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT seed FROM matches_match UNION ALL SELECT seed FROM matches_spentseed")
        return [seed if isinstance(seed, str) else bytes(seed) for (seed,) in cursor.fetchall()]


@pytest.mark.django_db(transaction=True)
def test_seeds_stay_what_they_are_there_and_back(begin):
    match = begin()
    assert bytes.fromhex(match.seed) == SEED
    shown = b"\x00\xff" * 16
    SpentSeed.objects.create(match=match, rolls=1, seed=shown.hex(), commitment=match.commitment)
    # With what was added later: on SQLite the table is made anew.
    before = MigrationLoader(connection).project_state()
    with connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)
    assert stored_seeds() == [SEED, shown]
    with connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)
    assert stored_seeds() == [SEED.hex(), shown.hex()]
    match.refresh_from_db()
    assert match.seed == SEED.hex()
