"""Our connection to PostgreSQL, lost while a cursor for prepared statements is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection

from config.postgresql.base import DatabaseWrapper

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def lost() -> Iterator[DatabaseWrapper]:
    """A connection of its own at the beginning of a request, whose server has hung up since the last one."""
    lost = connection.copy()
    assert isinstance(lost, DatabaseWrapper)
    lost.ensure_connection()
    with connection.cursor() as killer:
        killer.execute("SELECT pg_terminate_backend(%s, 5000)", [lost.connection.info.backend_pid])
    lost.health_check_enabled, lost.health_check_done = True, False
    yield lost
    lost.close()


def test_a_connection_that_cannot_be_made_anew_is_lost_and_no_fault(lost):
    lost.settings_dict["HOST"] = "/nowhere/at/all"
    with pytest.raises(OperationalError, match="/nowhere/at/all"):
        lost.prepared_cursor()


def test_a_connection_that_is_made_anew_has_a_prepared_cursor_and_usual_ones(lost):
    cursor = lost.prepared_cursor()
    cursor.execute("SELECT %s::int + 1", [1])
    assert (cursor.fetchone(), type(cursor.cursor).__name__) == ((2,), "PreparingCursor")
    with lost.cursor() as usual:
        usual.execute("SELECT 3")
        assert (usual.fetchone(), type(usual.cursor).__name__) == ((3,), "Cursor")
