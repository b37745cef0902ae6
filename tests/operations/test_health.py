"""The site answers programs that ask for its health."""

import errno
from math import inf
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client, override_settings

from matches.tasks import expire_turns
from operations import endpoints, signs_of_life
from operations.task_metrics import end_task

pytestmark = pytest.mark.both_databases

READY: dict[str, Any] = {
    "status": "ready",
    "checks": {
        "database": "ok",
        "disk": "ok",
        "migrations": "ok",
        "broker": "ok",
        "clock": "ok",
        "workers": "ok",
        "beat": "ok",
    },
}


@pytest.fixture(autouse=True)
def nothing_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test look at the migrations and the disk itself."""
    monkeypatch.setattr(endpoints, "_migrated", set())
    monkeypatch.setattr(endpoints._LastWrite, "at", -inf)


def test_a_process_that_answers_is_live_and_asks_no_database(client: Client) -> None:
    response = client.get("/health/live")
    assert (response.status_code, response.json()) == (200, {"status": "live"})


@pytest.mark.django_db
def test_a_site_with_all_it_needs_is_ready(client: Client) -> None:
    response = client.get("/health/ready")
    assert (response.status_code, response.json()) == (200, READY)


@pytest.mark.django_db
@override_settings(ALLOWED_HOSTS=["play.example.org"], SECURE_SSL_REDIRECT=True)
def test_health_needs_no_name_no_https_and_leaves_no_cookie_or_copy(client: Client) -> None:
    response = client.get("/health/ready", headers={"Host": "10.0.0.7:8000"})
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert not response.cookies
    assert client.head("/health/ready").status_code == 200
    assert client.post("/health/ready").status_code == 405


@pytest.mark.django_db
def test_once_the_migrations_were_seen_readiness_costs_one_query(client: Client, django_assert_num_queries) -> None:
    client.get("/health/ready")
    with django_assert_num_queries(1):
        client.get("/health/ready")


@pytest.mark.django_db
def test_a_full_disk_is_not_ready_and_who_asks_often_makes_no_more_be_written(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []

    def fail() -> None:
        attempts.append(1)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(endpoints, "_write_and_remove", fail)
    for _ in range(3):
        response = client.get("/health/ready")
        assert (response.status_code, response.json()["checks"]["disk"]) == (503, "failed")
    assert len(attempts) == 1
    monkeypatch.undo()
    monkeypatch.setattr(endpoints._LastWrite, "at", -inf)
    assert client.get("/health/ready").json()["checks"]["disk"] == "ok"


@pytest.mark.django_db
def test_readiness_writes_to_the_disk_of_the_database_and_leaves_nothing(tmp_path, monkeypatch) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL temp_file_limit = '100kB'")
            with pytest.raises(OperationalError, match="temp_file_limit"):
                endpoints._write_and_remove()
    else:
        monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "gone" / "kickabout.sqlite3")
        with pytest.raises(FileNotFoundError):
            endpoints._write_and_remove()
        (tmp_path / "gone").mkdir()
        endpoints._write_and_remove()
        assert list((tmp_path / "gone").iterdir()) == []


@pytest.mark.django_db
def test_a_missing_migration_is_not_ready(client: Client) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="web").delete()
    response = client.get("/health/ready")
    assert (response.status_code, response.json()["checks"]["migrations"]) == (503, "failed")


def test_a_database_that_is_away_is_not_ready_and_says_no_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise OperationalError("password authentication failed for user kickabout")

    monkeypatch.setattr(endpoints, "CHECKS", {"database": fail})
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json() == {"status": "not ready", "checks": {"database": "failed"}}


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["workers", "beat"])
def test_workers_or_beat_that_have_gone_are_named(
    who: str, client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signs_of_life, "_last", {})
    # One that never was there is no longer missed than those that are being started.
    assert client.get("/health/ready").json() == READY
    settings.IN_MEMORY = "another broker"
    end_task(task=expire_turns) if who == "workers" else signs_of_life.give_sign(who)
    settings.IN_MEMORY = settings.BROKER_URL
    assert client.get("/health/ready").json() == READY
    cache.delete(signs_of_life._key(who, "alive"))
    response = client.get("/health/ready")
    assert (response.status_code, response.json()["checks"]) == (503, READY["checks"] | {who: "failed"})


def test_a_broker_that_is_away_is_not_ready() -> None:
    from celery import current_app

    with override_settings(BROKER_URL="redis://127.0.0.1:1/0"):
        current_app.conf.broker_write_url = "redis://127.0.0.1:1/0"
        try:
            assert not endpoints._passes("broker", endpoints.CHECKS["broker"])
        finally:
            del current_app.conf.changes["broker_write_url"]
