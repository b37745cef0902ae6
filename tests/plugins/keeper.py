"""Runs one server for as long as whoever started it lives, then removes all that the server left.

``python keeper.py DIRECTORY USER COMMAND...`` runs the command as the user (``-`` for the present
one). The end of standard input is the sign to stop: it comes even when the tests are killed.
"""

import pwd
import shutil
import signal
import subprocess
import sys
import threading

PATIENCE = 5
"""Seconds that a server has to end by itself."""


def keep(directory: str, user: str, command: list[str]) -> None:
    """Run the command until standard input ends or the command does; then remove the directory."""
    identity: dict[str, object] = {}
    if user != "-":
        identity = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    try:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd="/", **identity)  # type: ignore[call-overload]
        threading.Thread(target=_stop_with_input, args=(server,), daemon=True).start()
        server.wait()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _stop_with_input(server: "subprocess.Popen[bytes]") -> None:
    sys.stdin.buffer.read()
    server.send_signal(signal.SIGQUIT)
    try:
        server.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        # A process that was started in the background may have inherited that it ignores the signal.
        server.kill()


if __name__ == "__main__":
    keep(sys.argv[1], sys.argv[2], sys.argv[3:])
