"""Small disks, which can be filled."""

import subprocess
from contextlib import suppress
from pathlib import Path


class NoDiskError(Exception):
    """No small disk can be mounted here; the sentence says why."""


def mount(directory: Path, megabytes: int) -> None:
    """Mount a small disk; raises ``NoDiskError``."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", str(directory)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", b"").decode() or error
        raise NoDiskError(f"no small disk can be mounted here: {why}") from error


def unmount(directory: Path) -> None:
    """Remove a small disk as soon as nobody uses it."""
    subprocess.run(["umount", "--lazy", directory], check=False)


def fill(file: Path) -> None:
    """Let a file grow until there is no room left."""
    with file.open("ab", buffering=0) as filler, suppress(OSError):
        while filler.write(bytes(4096)):
            pass
