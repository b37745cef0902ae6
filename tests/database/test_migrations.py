"""Migrations: what a new site has, and which databases are refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from database.migration_state import OtherSchemaError, read_migration_state, refuse_other_schema
from players.models import Player

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).parent.parent.parent
LATEST = ("web", "0001_keep_responses")
ROWS_OF_A_NEW_SITE = {"players_player", "auth_permission", "django_content_type", "django_migrations"}
SQUASHES = [
    ("players", "0001_squashed_0021_find_closed_accounts"),
    ("matches", "0001_squashed_0020_summarise_positions"),
    ("tournaments", "0001_squashed_0077_find_unanswered_invitations"),
]
OLD = [
    ("matches", "0001_create_matches_moves_and_seeks"),
    ("matches", "0001_squashed_0012_rename_to_plain_words"),
    ("matches", "0020_summarise_positions"),
    ("tournaments", "0076_find_the_latest_matches_that_count"),
]
"""Some of the migrations that databases have recorded, and that the squashed ones stand for."""


@pytest.mark.django_db
def test_a_new_site_has_the_computers_and_no_other_rows() -> None:
    with connection.cursor() as cursor:
        having_rows = set()
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {table})")
            if cursor.fetchone()[0]:
                having_rows.add(table)
    assert having_rows == ROWS_OF_A_NEW_SITE
    computers = Player.objects.order_by("level")
    assert [(computer.username, computer.level, computer.is_computer) for computer in computers] == [
        (f"computer-{level}", level, True) for level in ("beginner", "club", "strong")
    ]
    assert not any(computer.has_usable_password() or computer.acted_at is None for computer in computers)


@pytest.mark.django_db
def test_a_database_that_this_code_has_migrated_is_taken() -> None:
    state = read_migration_state()
    assert (state.missing, state.unknown, state.is_too_old) == ((), (), False)
    refuse_other_schema()


@pytest.mark.django_db
def test_a_database_that_has_applied_what_was_squashed_later_is_taken() -> None:
    for migration in OLD:
        MigrationRecorder(connection).record_applied(*migration)
    refuse_other_schema()


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["migrate", "serve_web", "serve_streams"])
@pytest.mark.parametrize("squash", SQUASHES)
def test_a_database_from_before_0_3_0_is_refused(squash: tuple[str, str], command: str) -> None:
    for migration in OLD:
        MigrationRecorder(connection).record_applied(*migration)
    MigrationRecorder(connection).record_unapplied(*squash)
    with pytest.raises(OtherSchemaError, match=r"^The database is older than version 0\.3\.0: .*0\.3\.0 first"):
        call_command(command)


@pytest.mark.django_db
def test_a_database_of_older_code_is_refused_unless_it_is_migrated_next() -> None:
    MigrationRecorder(connection).record_unapplied(*LATEST)
    with pytest.raises(OtherSchemaError, match=r"older code.*'python manage.py migrate'.*web\.0001_keep_responses"):
        refuse_other_schema()
    refuse_other_schema(may_migrate=True)


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["migrate", "serve_web"])
@pytest.mark.parametrize("name", ["0999_of_tomorrow", "0001_squashed_0999_of_tomorrow"])
def test_a_database_of_newer_code_is_refused(name: str, command: str) -> None:
    MigrationRecorder(connection).record_applied("matches", name)
    with pytest.raises(OtherSchemaError, match=rf"newer code.*matches\.{name}"):
        call_command(command)


@pytest.mark.django_db
def test_newer_code_that_has_squashed_anew_is_newer_code() -> None:
    MigrationRecorder(connection).record_applied("matches", "0001_squashed_0999_of_tomorrow")
    MigrationRecorder(connection).record_unapplied(*SQUASHES[1])
    with pytest.raises(OtherSchemaError, match=r"newer code"):
        refuse_other_schema(may_migrate=True)


@pytest.mark.django_db
def test_apps_that_are_gone_are_nobody_s_newer_code() -> None:
    MigrationRecorder(connection).record_applied("an_app_of_long_ago", "0001_initial")
    refuse_other_schema()


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["serve_web", "serve_streams"])
def test_servers_refuse_to_start(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MigrationRecorder(connection).record_unapplied(*LATEST)
    monkeypatch.setattr("os.execve", lambda *given: pytest.fail("it has started"))
    monkeypatch.setattr("streams.server.StreamServer.run", lambda server: pytest.fail("it has started"))
    with pytest.raises(OtherSchemaError):
        call_command(command)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["manage.py", "serve_web", "--port", "1"], id="web"),
        pytest.param(["-m", "celery", "-A", "config", "worker"], id="worker", marks=pytest.mark.nightly),
        pytest.param(["-m", "celery", "-A", "config", "beat"], id="beat", marks=pytest.mark.nightly),
    ],
)
def test_processes_say_what_to_do_and_end(command: list[str], tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT), "DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Kickabout cannot start. The database was made by older code than this." in done.stderr
    assert "python manage.py migrate" in done.stderr
