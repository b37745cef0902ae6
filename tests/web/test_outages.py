"""The site gives the right answers while PostgreSQL or Redis is away."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, OperationalError, ProgrammingError, connection, transaction
from django.test import Client
from structlog.testing import capture_logs

from matches.models import Match
from players.models import Player
from web.requests.outages import is_outage

pytestmark = pytest.mark.both_databases

PROBLEM = "application/problem+json"
UNUSED = "/nowhere/at/all"


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def away(transactional_db: None) -> Iterator[None]:
    """PostgreSQL hangs up, and is not there when it is called again."""
    url = connection.settings_dict["HOST"]
    with psycopg.connect(**{**connection.get_connection_params(), "cursor_factory": None}) as killer:
        connection.ensure_connection()
        killer.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    connection.settings_dict["HOST"] = UNUSED
    yield
    connection.settings_dict["HOST"] = url
    connection.close()


def logged(captured: list[Any]) -> list[str]:
    """Return the events that are worth a warning."""
    return [line["event"] for line in captured if line["log_level"] in {"warning", "error"}]


@pytest.mark.postgresql
def test_the_api_says_that_it_is_back_soon(away: None, visitor: Client) -> None:
    with capture_logs() as captured:
        response = visitor.get("/api/v1/matches/")
    assert (response.status_code, response["Content-Type"], response["Retry-After"]) == (503, PROBLEM, "5")
    assert json.loads(response.content)["code"] == "service_unavailable"
    assert logged(captured) == ["service_away"]


@pytest.mark.postgresql
def test_a_request_with_a_token_or_a_session_is_told_of_the_outage_too(away: None, visitor: Client) -> None:
    by_token = {"Authorization": "Bearer kick_unknown"}
    assert visitor.get("/api/v1/players/me/", headers=by_token).status_code == 503
    visitor.cookies[settings.SESSION_COOKIE_NAME] = "of-some-session"
    with capture_logs() as captured:
        assert visitor.get("/api/v1/players/me/").status_code == 503
        assert visitor.get("/").status_code == 503
    assert logged(captured) == ["service_away"] * 2


@pytest.mark.postgresql
def test_a_page_says_that_the_site_takes_a_break(away: None, visitor: Client, caplog: Any) -> None:
    response = visitor.get("/seeks/")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "Not available right now" in response.content.decode()
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_lost_while_nobody_asked_is_made_anew(visitor: Client) -> None:
    assert visitor.get("/api/v1/matches/").status_code == 200
    connection.ensure_connection()
    process = connection.connection.info.backend_pid
    with psycopg.connect(**{**connection.get_connection_params(), "cursor_factory": None}) as killer:
        killer.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    connection.health_check_enabled = True  # type: ignore[attr-defined]
    connection.health_check_done = False  # type: ignore[attr-defined]
    assert Match.objects.count() == 0
    assert connection.connection.info.backend_pid != process


def fill_the_disk() -> None:
    """Let the database say that there is no room, as it does when there is none."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$")
        else:
            # More than the pages that earlier tests may have left free in the file.
            cursor.execute("PRAGMA max_page_count = 1")
            cursor.execute("CREATE TABLE too_much AS SELECT zeroblob(50000000)")


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_an_outage_and_says_so(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.api.views.find_any_player", lambda *args, **kwargs: fill_the_disk())
    with capture_logs() as captured:
        response = visitor.get("/api/v1/players/anna/")
    connection.close()
    assert (response.status_code, response["Content-Type"], response["Retry-After"]) == (503, PROBLEM, "5")
    assert logged(captured) == ["service_away"]


@pytest.mark.django_db
@pytest.mark.parametrize("error", [ProgrammingError("no such column"), OperationalError("too much"), KeyError("HOST")])
def test_a_fault_of_ours_is_no_outage(error: Exception, visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr("players.api.views.find_any_player", fail)
    with capture_logs() as captured:
        response = visitor.get("/api/v1/players/anna/")
    assert response.status_code == 500
    assert logged(captured) == ["request_failed"]


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sql", "is_so"),
    [
        ("SELECT nothing", False),
        ("SELECT 1/0", False),
        ("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)", True),
    ],
)
def test_a_query_that_postgresql_refuses_is_no_outage_unless_it_took_too_long(sql: str, is_so: bool) -> None:
    with pytest.raises(DatabaseError) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
    assert is_outage(refused.value) == is_so


@pytest.mark.django_db
def test_without_redis_passwords_cannot_be_tried(visitor: Client, settings: Any) -> None:
    Player.objects.create_user("anna", password="correct horse 7")
    settings.REDIS_URL = "unix:///nowhere/at/all"
    response = visitor.post("/log-in/", {"username": "anna", "password": "correct horse 7"})
    assert (response.status_code, response["Retry-After"]) == (503, "5")
