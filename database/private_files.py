"""Files that are for the server's own user: the database, what SQLite keeps beside it, the key, the lock."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

MODE = 0o600
OTHERS = 0o077
"""The bits of a mode by which somebody else than the owner may do something."""

logger = logging.getLogger(__name__)


def make_private(path: Path) -> None:
    """Create the file, empty, if there is none, and take away what others may do with it, whatever the umask.

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
    """Take away what others may do with the file, if it exists. What belongs to another user is told in the log."""
    try:
        if path.stat().st_mode & OTHERS:
            path.chmod(MODE)
    except FileNotFoundError:
        return
    except OSError as error:
        logger.warning("%s can be read by other users: %s", path, error.strerror)
