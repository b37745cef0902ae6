"""The SQLite backend. Django requires a module of this name."""

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

from database.private_files import make_private, tighten

BESIDE = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite creates beside a database, with the database's mode."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Connects to a file that only its owner can read."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection. The files are created, or made private, before SQLite opens them."""
        name = str(conn_params["database"])
        if not name.startswith(("file:", ":memory:")):
            # If the directory cannot be used, SQLite's own error says why.
            with suppress(OSError):
                _make_files_private(_find(name))
        return super().get_new_connection(conn_params)


@cache
def _find(name: str) -> Path:
    return Path(name).resolve()


def _make_files_private(database: Path) -> None:
    make_private(database)
    for ending in BESIDE:
        tighten(database.with_name(database.name + ending))
