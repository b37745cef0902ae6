"""Compare the database's migrations with those of the code: which are missing, and which are unknown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader


class OtherSchemaError(ImproperlyConfigured):
    """Code and database are of different versions; the message says what to do."""


@dataclass(frozen=True, slots=True)
class MigrationState:
    """Migrations as ``app.name``: ``missing`` ones of the code, and ``unknown`` ones that only the database knows."""

    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def read_migration_state() -> MigrationState:
    """Return how the database's migrations differ from the code's; raises ``OperationalError`` without a database."""
    loader = MigrationLoader(connection)
    known = {*loader.graph.nodes, *loader.disk_migrations}
    apps = {app for app, _name in known}
    unknown = [key for key in loader.applied_migrations if key[0] in apps and not _is_known(*key, known)]
    return MigrationState(
        missing=tuple(
            sorted(f"{app}.{name}" for app, name in set(loader.graph.nodes) - set(loader.applied_migrations))
        ),
        unknown=tuple(sorted(f"{app}.{name}" for app, name in unknown)),
    )


def _is_known(app: str, name: str, known: Collection[tuple[str, str]]) -> bool:
    """Tell whether the code has a migration, or the last one of those that it squashed; later ones were squashed anew.

    ``0001_squashed_0014_call_competitions_so`` has done what the migrations up to ``0014_call_competitions_so`` do.
    """
    _first, _squashed, last = name.partition("_squashed_")
    return (app, name) in known or (app, last) in known


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
    if state.missing and not may_migrate:
        raise OtherSchemaError(
            "The database was made by older code than this. Stop all processes, make a back-up, and run "
            f"'python manage.py migrate'. Missing: {', '.join(state.missing)}."
        )
