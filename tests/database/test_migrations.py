"""Migrations: one squashed an app for new sites, the old ones for sites that go on, and what differs is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoDbBlocker

from database.migration_state import OtherSchemaError, read_migration_state, refuse_other_schema
from formats.options import MAX_DAYS
from formats.points_ladder import MAX_GAMES_EACH
from players.models import Player
from tests.database.describe_schema import describe_definitions, describe_schema
from tests.matches.conftest import NOON
from tournaments.models import Cup, Entry, Ladder, LogEntry, Seat, Stage, Standing, TableSection
from tournaments.office.services.log import ACTIONS
from tournaments.rounds.services.seating import store_competition

ROOT = Path(__file__).parent.parent.parent
APPS = ("players", "matches", "tournaments")
LATEST = ("web", "0001_keep_responses")

STAYING = {"inactive_days": 30, "return_days": 180}
"""Options that ladders have got since."""

NewDatabase = Callable[[], dict[str, str]]


@pytest.fixture(scope="session")
def new_database(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[NewDatabase]:
    """Give the environment of a process that has an empty database of its own."""
    made: list[str] = []
    base = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    base |= {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}

    def make() -> dict[str, str]:
        name = f"schema_{uuid4().hex}"
        environment = base | {"DATA_DIR": str(tmp_path_factory.mktemp(name))}
        if connection.vendor == "postgresql":
            with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
                cursor.execute(f"CREATE DATABASE {name}")
            made.append(name)
            environment["DATABASE_URL"] = f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"
        return environment

    yield make
    for name in made:
        with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


class OldSite(NamedTuple):
    """A site of long ago, which the old migrations have brought to this code one by one."""

    environment: dict[str, str]
    rows: dict[str, Any]
    schema: dict[str, Any]
    definitions: list[str]


@pytest.fixture(scope="session")
def old_site(new_database: NewDatabase, tmp_path_factory: pytest.TempPathFactory) -> OldSite:
    before = tmp_path_factory.mktemp("before")
    for app in APPS:
        package = before / f"{app}_before"
        package.mkdir()
        for file in (ROOT / app / "migrations").glob("*.py"):
            if "squashed" not in file.name:
                shutil.copy(file, package)
    environment = new_database()
    command = [sys.executable, "-m", "tests.database.old_site", str(before)]
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    return OldSite(environment, **json.loads(done.stdout))


def ladder(**options: int) -> list[Any]:
    """Return what is read of a points ladder with these options, and the usual ones."""
    usual = {"window_days": 90, "best_results": None, "min_matches": 3, "games_each": 2, "rematch_days": 14}
    return ["ladder", "points-ladder", usual | STAYING | options]


@pytest.mark.slow
@pytest.mark.extra
@pytest.mark.django_db
def test_squashed_migrations_make_what_the_old_ones_made(old_site: OldSite) -> None:
    assert {app for app, name in MigrationRecorder(connection).applied_migrations() if "squashed" in name} == {*APPS}
    # The tests' own database is a new one.
    assert describe_definitions() == old_site.definitions
    squashed, old = json.loads(json.dumps(describe_schema())), old_site.schema
    assert set(squashed) == set(old) >= {"tournaments_competition", "matches_move", "web_idempotentresponse"}
    for table, found in squashed.items():
        assert found == old[table], table


@pytest.mark.slow
@pytest.mark.extra
def test_a_site_of_long_ago_keeps_its_rows_and_goes_on_with_the_squashed_migrations(old_site: OldSite) -> None:
    assert old_site.rows == {
        "emails": [["anna@example.org", "2026-01-01 12:00:00+00:00"], ["piotr@example.org", None]],
        "stages": {
            "much": ladder(window_days=MAX_DAYS, rematch_days=MAX_DAYS, games_each=MAX_GAMES_EACH),
            "usual": ladder(window_days=0, rematch_days=0, games_each=1),
            "best": ladder(best_results=5, min_matches=4),
            "climb": [
                "ladder",
                "challenge-ladder",
                {"rematch_days": 7, "max_outgoing": 3, "max_incoming": 4, "window_days": 90, **STAYING},
            ],
            "long": ["cup", "knock-out", {"legs": 2, "replays": 1, "third_place": False}],
            "free": ["cup", "knock-out", {"legs": 2, "replays": 1, "third_place": False}],
            "won": ["cup", "knock-out", {"legs": 1, "replays": 2, "third_place": True}],
            "round": ["cup", "round-robin", {"cycles": 2}],
            "given-up": ["cup", "round-robin", {"cycles": 1}],
        },
        "with defaults": [],
        "cups": {
            "long": ["rating", None, MAX_DAYS, "wait", False, []],
            "free": ["rating", None, None, "wait", False, ["points", "wins"]],
            "won": ["hand", 2**62, 7, "forfeit", False, []],
            "round": ["draw", None, None, "wait", True, []],
            "given-up": ["rating", None, None, "wait", False, []],
        },
        "winners": [["won", "piotr"]],
        "stale": ["2026-01-01 12:00:00+00:00"],
        "tiebreaks": ["points", "wins"],
        "organisers": ["anna"],
        "entries": [
            ["free", "anna"],
            ["won", "piotr"],
            ["won", "first"],
            ["won", "second"],
            ["won", "third"],
            ["climb", "first"],
            ["given-up", "uma"],
            ["given-up", "vic"],
            ["given-up", "wes"],
        ],
        "rounds": [["free", 1], ["won", 1], ["won", 2], ["given-up", 1], ["given-up", 2], ["long", 1]],
        "seats": [
            ["anna", None, None],
            ["piotr", None, None],
            ["first", 1, None],
            ["second", 2, None],
            ["third", 3, None],
            ["first", None, 4],
            ["uma", 1, None],
            ["vic", 2, None],
            ["wes", 3, None],
        ],
        "ties": [
            [1, "main", 3, "", 2, ""],
            [2, "main", 1, "", None, "winner"],
            [2, "third-place", None, "", None, "loser"],
        ],
        "sources": [[None, None], [None, 1], [None, 1]],
        "fixtures": [["won", 2], *[["given-up", 1]] * 4],
        # Of four annulled matches one was so by a replacement before, and one by an organiser, as the log says.
        "annulments": [["uma", "vic", "ended"], ["vic", "wes", ""], ["uma", "wes", ""], ["wes", "vic", "ended"]],
        "goes on": {"status": "running", "played": [["uma", "vic", "playing"], ["wes", "vic", "playing"]]},
        "overdue": [["long", "2026-01-01 12:00:00+00:00"]],
        "given up": [
            ["competition", {"lines": [3], "fixtures": []}],
            ["competition", {"lines": [], "fixtures": [1]}],
        ],
        "table": [["second", 1, 1]],
        "places": [["second", 1]],
        "competitions_of_places": [True],
        "log": [["given-up", "cancelled", False], ["given-up", "annulled", False], ["free", "opened", True]],
        "listed": [
            ["anna", "streetsoccer", True],
            ["piotr", "streetsoccer", True],
            ["carla", "streetsoccer", False],
            ["anna", "paper-soccer", True],
        ],
        "rated": [["paper-soccer", 1499, 1], ["streetsoccer", 1510, 2]],
        "mails": [["anna", False]],
        "responses": [["anna", "k", 201]],
        "computers": ["computer-beginner", "computer-club", "computer-strong"],
        "analyses": [["2026-01-01 12:00:00+00:00", "anna", "waiting"]],
    }
    command = [sys.executable, "manage.py", "migrate", "--check"]
    subprocess.run(command, check=True, cwd=ROOT, env=old_site.environment)


@pytest.mark.django_db
def test_a_database_that_this_code_has_migrated_is_taken() -> None:
    assert read_migration_state().missing == read_migration_state().unknown == ()
    refuse_other_schema()


@pytest.mark.django_db
def test_a_database_of_older_code_is_refused_unless_it_is_migrated_next() -> None:
    MigrationRecorder(connection).record_unapplied(*LATEST)
    with pytest.raises(OtherSchemaError, match=r"older code.*'python manage.py migrate'.*web\.0001_keep_responses"):
        refuse_other_schema()
    refuse_other_schema(may_migrate=True)


@pytest.mark.django_db
@pytest.mark.parametrize("may_migrate", [False, True])
def test_a_database_of_newer_code_is_refused(may_migrate: bool) -> None:
    MigrationRecorder(connection).record_applied("matches", "0999_of_tomorrow")
    with pytest.raises(OtherSchemaError, match=r"newer code.*matches\.0999_of_tomorrow"):
        refuse_other_schema(may_migrate=may_migrate)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["manage.py", "serve_web", "--port", "1"], id="web"),
        pytest.param(["-m", "celery", "-A", "config", "worker"], id="worker", marks=pytest.mark.once),
        pytest.param(["-m", "celery", "-A", "config", "beat"], id="beat", marks=pytest.mark.once),
    ],
)
def test_processes_say_what_to_do_and_end(command: list[str], new_database: NewDatabase) -> None:
    environment = new_database()
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Kickabout cannot start. The database was made by older code than this." in done.stderr
    assert "python manage.py migrate" in done.stderr


@pytest.mark.django_db
def test_tables_from_before_the_start_are_forgotten_and_those_of_running_ladders_stay() -> None:
    for name, started_at in (("waiting", None), ("running", NOON)):
        ladder = Ladder(name=name, slug=name, game="streetsoccer-board", created_at=NOON, started_at=started_at)
        store_competition(competition=ladder, stage=Stage(format="points-ladder"))
        player = Player.objects.create(username=name, date_joined=NOON)
        entry = Entry.objects.create(competition=ladder, player=player, draw=1, entered_at=NOON)
        stage, group = ladder.first_stage, ladder.first_stage.groups.get()
        seat = Seat.objects.create(entry=entry, stage=stage, group=group, is_on_ladder=True, has_place=True)
        Standing.objects.create(seat=seat, group=group, place=1)
        TableSection.objects.create(group=group, number=0, seats=[seat.pk])
    migration = import_module("tournaments.migrations.0071_forget_tables_before_the_start")
    migration.forget_tables(apps, connection.schema_editor())
    left = [*Standing.objects.values_list("seat__entry__player__username", flat=True)]
    assert left == [section.group.competition.slug for section in TableSection.objects.all()] == ["running"]
    assert [*Seat.objects.filter(has_place=True).values_list("entry__player__username", flat=True)] == ["running"]
    assert Seat.objects.count() == 2


@pytest.mark.django_db
def test_lines_of_logs_are_called_as_what_is_logged_now() -> None:
    names = import_module("tournaments.migrations.0030_call_what_is_taken_back_undone")
    cup = Cup.objects.create(name="Cup", slug="cup", game="streetsoccer-board", created_at=NOON)
    for action in (*names.NAMES, "annulled"):
        LogEntry.objects.create(competition=cup, action=action, logged_at=NOON)
    names.rename(apps, connection.schema_editor())
    renamed = list(LogEntry.objects.order_by("pk").values_list("action", flat=True))
    assert renamed == ["start-undone", "bye-undone", "annulled"]
    assert set(renamed) <= ACTIONS.keys()
    names.rename_back(apps, connection.schema_editor())
    assert set(LogEntry.objects.values_list("action", flat=True)) == {*names.NAMES, "annulled"}
