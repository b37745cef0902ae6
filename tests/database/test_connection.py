"""Our connection to PostgreSQL, lost while a cursor for prepared statements is asked for."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DataError, OperationalError, connection

from database.postgresql import base
from database.postgresql.base import DatabaseWrapper
from database.timeouts import Unanswered, unlimited

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def lost() -> Iterator[DatabaseWrapper]:
    """Yield a connection of its own at the beginning of a request, whose server has hung up since the last one."""
    lost = connection.copy()
    assert isinstance(lost, DatabaseWrapper)
    lost.ensure_connection()
    with connection.cursor() as killer:
        killer.execute("SELECT pg_terminate_backend(%s, 5000)", [lost.connection.info.backend_pid])
    lost.health_check_enabled, lost.health_check_done = True, False  # type: ignore[attr-defined]
    yield lost
    lost.close()


def test_a_connection_that_cannot_be_made_anew_is_lost_and_no_fault(lost):
    lost.settings_dict["HOST"] = "/nowhere/at/all"
    with pytest.raises(OperationalError, match="/nowhere/at/all"):
        lost.prepared_cursor()


def test_a_connection_that_is_made_anew_has_a_prepared_cursor_and_usual_ones(lost):
    cursor = lost.prepared_cursor()
    cursor.execute("SELECT %s::int + 1", [1])
    assert (cursor.fetchone(), type(cursor.cursor).__name__) == ((2,), "ServerBindingCursor")
    with lost.cursor() as usual:
        usual.execute("SELECT 3")
        assert (usual.fetchone(), type(usual.cursor).__name__) == ((3,), "Cursor")


@pytest.mark.parametrize(
    "moment",
    [
        "2026-11-20T19:07:19.123456",
        "2026-11-20T19:07:19.100000",
        "2026-11-20T19:07:19",
        "0001-01-01T00:00:00",
        "9999-12-31T23:59:59.999999",
    ],
)
def test_moments_are_read_exactly_and_in_utc(moment):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [f"{moment}+00"])
        (read,) = cursor.fetchone()
    assert (read, read.tzinfo) == (datetime.fromisoformat(f"{moment}+00:00"), UTC)


@pytest.mark.parametrize("moment", ["infinity", "10000-01-01 00:00:00+00", "0044-03-15 12:00:00+00 BC"])
def test_moments_that_python_cannot_hold_are_reported(moment):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [moment])
        with pytest.raises(DataError):
            cursor.fetchone()


def test_a_server_that_does_not_reply_is_given_up_and_left_alone_for_a_while(monkeypatch) -> None:
    monkeypatch.setattr(base, "unanswered", Unanswered())

    def connect() -> Any:
        made = connection.copy()
        made.settings_dict["OPTIONS"] = {**made.settings_dict["OPTIONS"], "reply_timeout": 0.2}
        return made

    hangs = connect()
    with pytest.raises(OperationalError, match=r"not replied for 0\.2 seconds"), hangs.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(5)")
    assert hangs.connection.closed
    with pytest.raises(OperationalError, match="has not answered others"):
        connect().ensure_connection()
    monkeypatch.setattr(base.unanswered, "_until", 0.0)
    again = connect()
    with again.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("30s",)
    again.close()
    with unlimited():
        free = connect()
        with free.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == ("0",)
        free.close()
