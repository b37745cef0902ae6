"""A database for each process of the tests: a copy of one that the first of them has migrated."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

MADE_BY_MIGRATE = {"auth_permission", "django_content_type"}
"""Tables that the command fills from the models, whenever it runs."""
FIRST_NUMBERS = {"tournaments_stage": 1000, "tournaments_group": 2000, "tournaments_seat": 5000}
"""Rows that come one for each of another table would have its numbers, and hide that one is taken for the other."""


def _part_numbers() -> None:
    with connection.cursor() as cursor:
        for table, number in FIRST_NUMBERS.items():
            if connection.vendor == "sqlite":
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])
            else:
                cursor.execute(f"ALTER SEQUENCE {table}_id_seq RESTART WITH {number}")


@contextmanager
def _lock() -> Iterator[Path]:
    """Keep the other processes of this run from making or removing the original; give the directory of its copies."""
    copies = Path(settings.DATA_DIR) / "databases"
    copies.mkdir(exist_ok=True)
    with (copies.parent / "databases.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield copies


@pytest.fixture(scope="session")
def migrated_database(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Return the name of the original, which is not to be changed: on SQLite it is the path of a file."""
    process = os.environ.get("PYTEST_XDIST_WORKER", "main")
    before = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        # In memory SQLite would know neither WAL nor real locks.
        connection.settings_dict["TEST"]["NAME"] = f"{settings.DATA_DIR}/test.sqlite3"
    with django_db_blocker.unblock():
        with _lock() as copies:
            name = next(map(Path.read_text, copies.iterdir()), "")
            if not name:
                name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
                connection.close()
            (copies / process).write_text(name)
        connection.settings_dict["NAME"] = name
        yield name
        with _lock() as copies:
            (copies / process).unlink()
            if not any(copies.iterdir()):
                connection.creation.destroy_test_db(before, verbosity=0)


@pytest.fixture(scope="session")
def django_db_setup(migrated_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Give this process its copy. After each test it has the computers of a new site, and no other rows."""
    from players.models import Player

    process = os.environ.get("PYTEST_XDIST_WORKER", "main")
    with django_db_blocker.unblock():
        with _lock():
            connection.creation.clone_test_db(suffix=process, verbosity=0, autoclobber=True)
        connection.settings_dict.update(connection.creation.get_test_db_clone_settings(process))
        connection.close()
        _part_numbers()
        with pytest.MonkeyPatch.context() as patch:
            tables = sorted({*connection.introspection.django_table_names()} - MADE_BY_MIGRATE)
            computers = list(Player.objects.all())

            def restore(test: TransactionTestCase) -> None:
                _empty(tables)
                Player.objects.bulk_create(computers)

            patch.setattr(TransactionTestCase, "_fixture_teardown", restore)
            yield
        connection.creation.destroy_test_db(migrated_database, verbosity=0)


def _empty(tables: list[str]) -> None:
    """Remove what a test without a transaction has stored. Django would empty all tables, and fill some again."""
    quote = connection.ops.quote_name
    having_rows = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})" for table in tables
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(having_rows)
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quote(table)}")
