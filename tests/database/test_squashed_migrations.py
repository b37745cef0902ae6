"""Squashed migrations: whichever of the old ones a site has applied, it gets the others, and each of them once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from database.migration_state import MigrationState, read_migration_state
from players.models import Player
from tests.database.old_site import OLD_SQUASHES
from tests.samples import sampled

Key = tuple[str, str]

APPS = ("players", "matches", "tournaments")
ROWS_OF_A_NEW_SITE = {"players_player", "auth_permission", "django_content_type", "django_migrations"}


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> set[Key]:
    """Give a set that takes the place of the table of applied migrations. The files are read once."""
    on_disk = MigrationLoader(None)
    chosen: set[Key] = set()

    def load_disk(self: MigrationLoader) -> None:
        self.disk_migrations = on_disk.disk_migrations
        self.migrated_apps, self.unmigrated_apps = on_disk.migrated_apps, on_disk.unmigrated_apps

    monkeypatch.setattr(MigrationLoader, "load_disk", load_disk)
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda self: dict.fromkeys(chosen))
    return chosen


def order_of_old_sites(applied: set[Key], first: str) -> list[Key]:
    """Return the migrations as a site has applied them one by one, those of an app and what it needs first."""
    for squashed in MigrationLoader(connection).replacements.values():
        applied.add(squashed.replaces[0])
    # A squashed migration of which a part is applied is not used.
    graph = MigrationLoader(connection).graph
    applied.clear()
    leaves = sorted(graph.leaf_nodes(), key=lambda key: key[0] != first)
    return list(dict.fromkeys(key for leaf in leaves for key in graph.forwards_plan(leaf)))


@pytest.mark.parametrize("notes_squashes", sampled([False, True], usual=[True]))
@pytest.mark.parametrize("first", sampled(APPS, usual=["tournaments"]))
def test_a_site_gets_each_migration_that_it_lacks_once_wherever_it_stands(
    applied: set[Key], first: str, notes_squashes: bool
) -> None:
    order = order_of_old_sites(applied, first)
    assert len(order) > 100
    squashed = MigrationLoader(connection).replacements
    for number in range(len(order) + 1):
        applied.clear()
        applied.update(order[:number])
        if notes_squashes:
            # Django notes them when the last migration that they replace has been applied, and says so for good.
            applied.update(key for key, each in squashed.items() if applied.issuperset(each.replaces))
            applied.update((app, name) for app, name in OLD_SQUASHES if (app, name.split("_squashed_")[1]) in applied)
        executor = MigrationExecutor(connection)
        executor.loader.check_consistent_history(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        done = [key for each, _ in plan for key in each.replaces or [(each.app_label, each.name)]]
        assert sorted(done) == sorted(order[number:])
    assert read_migration_state() == MigrationState(missing=(), unknown=())


@pytest.mark.once
def test_a_new_site_starts_with_one_migration_an_app(applied: set[Key]) -> None:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    starts = [(each.app_label, len(each.replaces)) for each, _ in plan if each.replaces]
    assert starts == [("players", 21), ("matches", 20), ("tournaments", 77)]


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
    assert [(each.username, each.level, each.is_computer) for each in computers] == [
        (f"computer-{level}", level, True) for level in ("beginner", "club", "strong")
    ]
    assert not any(each.has_usable_password() or each.acted_at is None for each in computers)
