"""Compare the database's migrations with those of the code: which are missing, and which are unknown."""

from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader

SQUASHED = "_squashed_"
"""What Django writes into the name of a migration that stands for others, between the first and the last of them."""


class OtherSchemaError(ImproperlyConfigured):
    """Code and database are of different versions; the message says what to do."""


@dataclass(frozen=True, slots=True)
class MigrationState:
    """How the database's migrations differ from the code's, as ``app.name``."""

    missing: tuple[str, ...]
    """Those of the code that the database has not applied."""
    unknown: tuple[str, ...]
    """Those that only the database knows, without those that the code's squashed ones stand for."""
    is_too_old: bool
    """Whether an app has applied migrations, but not the squashed one with which it begins."""


def read_migration_state() -> MigrationState:
    """Return how the database's migrations differ from the code's; raises ``OperationalError`` without a database."""
    loader = MigrationLoader(connection)
    known, applied = set(loader.graph.nodes) | set(loader.disk_migrations), set(loader.applied_migrations)
    apps = {app for app, _name in known}
    squashes = {(app, name) for app, name in loader.graph.nodes if SQUASHED in name}
    last_numbers = {app: _last_number(name) for app, name in squashes}
    unknown = [
        f"{app}.{name}"
        for app, name in applied - known
        if app in apps and _last_number(name) > last_numbers.get(app, "")
    ]
    return MigrationState(
        missing=tuple(sorted(f"{app}.{name}" for app, name in set(loader.graph.nodes) - applied)),
        unknown=tuple(sorted(unknown)),
        is_too_old=not {app for app, _name in squashes - applied}.isdisjoint(app for app, _name in applied),
    )


def _last_number(name: str) -> str:
    """Return the number up to which a migration goes: ``0014`` for ``0001_squashed_0014_call_competitions_so``."""
    return name.rpartition(SQUASHED)[2].partition("_")[0]


def refuse_other_schema(*, may_migrate: bool = False) -> None:
    """Raise ``OtherSchemaError`` if this code must not work on the database as it is.

    Missing migrations are accepted for a process that applies them itself (``may_migrate``). So is a database that
    cannot be reached: processes may start before it, and answer with 503 until it is there.
    """
    try:
        state = read_migration_state()
    except OperationalError:
        return
    finally:
        if not connection.in_atomic_block:
            connection.close()
    if state.unknown:
        raise OtherSchemaError(
            "The database was migrated by newer code than this. Start the newer code, or restore the back-up that was "
            f"made before it. Unknown here: {', '.join(state.unknown)}."
        )
    if state.is_too_old:
        raise OtherSchemaError(
            "The database is older than version 0.3.0: make a back-up, migrate with version 0.3.0 first, and then with "
            "this one (docs/operating.md, Upgrading, says how)."
        )
    if state.missing and not may_migrate:
        raise OtherSchemaError(
            "The database was made by older code than this. Stop all processes, make a back-up, and run "
            f"'python manage.py migrate'. Missing: {', '.join(state.missing)}."
        )
