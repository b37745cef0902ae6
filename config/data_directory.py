"""The data directory of a one-machine installation: its lock and its files."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from database.private_files import make_private

OWN_FILES = ("kickabout.sqlite3", "kickabout.sqlite3-wal", "kickabout.sqlite3-shm", "secret-key")


class DirectoryInUseError(Exception):
    """Another server uses this directory."""


@contextmanager
def claim(directory: Path) -> Iterator[None]:
    """Lock the directory against other servers while the context lasts. Raises DirectoryInUseError."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "server.lock"
    # A user who can read the file can hold the lock.
    make_private(path)
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            raise DirectoryInUseError(f"Another server (process {lock.read().strip()}) uses {directory}.") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def empty(directory: Path) -> list[str]:
    """Remove the database and the key, nothing else; return the names of the removed files."""
    removed = [name for name in OWN_FILES if (directory / name).exists()]
    for name in removed:
        (directory / name).unlink()
    return removed
