"""Files that only the server's own user may read: the database, SQLite's files beside it, the key, the lock."""

import logging
import os
from contextlib import suppress
from pathlib import Path

MODE = 0o600
OTHERS = 0o077
"""The permission bits of group and others."""

logger = logging.getLogger(__name__)


def make_private(path: Path) -> None:
    """Create the file if there is none, and remove all permissions of group and others, whatever the umask.

    A file that exists is never opened: closing it would take SQLite's locks from it.
    """
    with suppress(FileExistsError):
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE)
        try:
            os.fchmod(descriptor, MODE)
        finally:
            os.close(descriptor)
    tighten(path)


def tighten(path: Path) -> None:
    """Remove all permissions of group and others, if the file exists. A file of another user is logged."""
    try:
        if path.stat().st_mode & OTHERS:
            path.chmod(MODE)
    except FileNotFoundError:
        return
    except OSError as error:
        logger.warning("%s can be read by other users: %s", path, error.strerror)
