"""Runs one server for as long as the process that started it lives, then removes all that the server left.

``python keeper.py DIRECTORY USER COMMAND...`` runs the command as the user (``-`` for the present
one). The end of standard input is the sign to stop: it comes even when the tests are killed. The name of a
signal ends the server by it and is answered when it has ended; whatever comes next starts it again.
"""

import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

TIMEOUT = 5
"""Seconds that a server has to end by itself."""

POLL_INTERVAL = 0.1
"""Seconds after which it is noticed that the server has ended by itself."""

MAX_ORDER_LENGTH = 64

Server = subprocess.Popen[bytes]


def keep(directory: str, user: str, command: list[str]) -> None:
    """Run the command until standard input ends or the command does; then remove the directory."""
    server = _start(user, command)
    try:
        while server.poll() is None:
            if not select.select([sys.stdin], [], [], POLL_INTERVAL)[0]:
                continue
            order = _read_order()
            _end(server, signal.Signals[order] if order else signal.SIGQUIT)
            if not order:
                break
            _answer("ended")
            if not _read_order():
                break
            server = _start(user, command)
            _answer("started")
    finally:
        _end(server, signal.SIGKILL)
        _unmount(directory)
        shutil.rmtree(directory, ignore_errors=True)


def _start(user: str, command: list[str]) -> Server:
    identity: dict[str, object] = {}
    if user != "-":
        identity = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    return subprocess.Popen(  # type: ignore[call-overload]
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), cwd="/", process_group=0, **identity
    )


def _end(server: Server, sign: signal.Signals) -> None:
    """End the server, gently unless by SIGKILL, and after that all that it has started."""
    if sign != signal.SIGKILL and server.poll() is None:
        server.send_signal(sign)
        # A process that was started in the background may have inherited that it ignores the signal.
        with suppress(subprocess.TimeoutExpired):
            server.wait(timeout=TIMEOUT)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def _unmount(directory: str) -> None:
    """Take away what has been mounted in the directory."""
    mounted = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for place in mounted:
        if place.startswith(f"{directory}/"):
            subprocess.run(["umount", place], check=False)


def _read_order() -> str:
    return os.read(sys.stdin.fileno(), MAX_ORDER_LENGTH).decode().strip()


def _answer(word: str) -> None:
    with suppress(BrokenPipeError):
        print(word, flush=True)


if __name__ == "__main__":
    keep(sys.argv[1], sys.argv[2], sys.argv[3:])
