"""Measure many log-ins at once: how much memory they take, how they are answered, and how long they take.

    .venv/bin/python benchmarks/log_ins.py --clients 200

It runs the single-process server on SQLite in a directory of its own, with a player for each client, and sends all
log-ins at once, each from a client IP of its own, as a proxy announces it. ``--server granian`` measures the web
processes of a larger site instead; their memory is added up. ``--memory 102400 --lanes 8`` stores the passwords as
Django hashes them by default: each log-in then checks an expensive hash and makes a new one.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from socket import socket
from threading import Barrier, Event, Thread
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "seven tall giraffes"  # noqa: S105 - of players who live as long as the measurement
MEGABYTE = 1024 * 1024
SETTLED = 2.0
"""Seconds after the last answer until the memory is read once more."""


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="Many log-ins at once.")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--server", choices=("single", "granian"), default="single")
    parser.add_argument("--memory", type=int, help="KiB of each stored hash; by default what the site uses")
    parser.add_argument("--lanes", type=int, default=1, help="parallelism of each stored hash, with --memory")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment |= {"DATA_DIR": data, "TRUSTED_PROXIES": "1", "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.update(environment)
        prepare(options.clients, options.memory, options.lanes)
        with served(options.server, environment) as (server, port):
            measure(server.pid, port, options.clients)


def prepare(number: int, memory: int | None, lanes: int) -> None:
    """Make the database, and in it a player for each client."""
    import django
    from django.core.management import call_command

    sys.path.insert(0, str(ROOT))
    django.setup()
    from argon2 import PasswordHasher
    from django.contrib.auth.hashers import make_password

    from players.models import Player

    call_command("migrate", verbosity=0)
    if memory is None:
        stored = make_password(PASSWORD)
    else:
        stored = "argon2" + PasswordHasher(time_cost=2, memory_cost=memory, parallelism=lanes).hash(PASSWORD)
    Player.objects.bulk_create(Player(username=f"player-{index}", password=stored) for index in range(number))


@contextmanager
def served(kind: str, environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a server on a free port until the context ends."""
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    if kind == "single":
        command = [sys.executable, "manage.py", "serve", "--port", str(port), "--data", environment["DATA_DIR"]]
    else:
        command = [
            str(Path(sys.executable).with_name("granian")),
            *("--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--workers", "2"),
            *("--blocking-threads", "4", "--backpressure", "16", "config.wsgi:application"),
        ]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            for _ in range(50):
                try:
                    get_token(port)
                    break
                except OSError:
                    time.sleep(0.5)
            yield server, port
        finally:
            server.terminate()
            server.wait()


def get_token(port: int) -> str:
    """Return the CSRF token of a visitor."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", "/log-in/")
        found = re.search(r"kickabout_csrf=(\w+)", connection.getresponse().getheader("Set-Cookie") or "")
    return found[1] if found else ""


def measure(server: int, port: int, clients: int) -> None:
    """Send all log-ins at once, and watch the memory meanwhile."""
    token = get_token(port)
    together = Barrier(clients)

    def log_in(index: int) -> tuple[int, float]:
        body = urlencode({"username": f"player-{index}", "password": PASSWORD})
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"kickabout_csrf={token}",
            "X-CSRFToken": token,
            "X-Forwarded-For": f"198.18.{index // 250}.{index % 250}",
        }
        with closing(HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
            connection.connect()
            together.wait()
            begun = time.perf_counter()
            connection.request("POST", "/log-in/", body, headers)
            return connection.getresponse().status, time.perf_counter() - begun

    before, peak, over = resident(server), [0], Event()

    def watch() -> None:
        while not over.wait(0.01):
            peak[0] = max(peak[0], resident(server))

    watching = Thread(target=watch)
    watching.start()
    used = processor_time(server)
    with ThreadPoolExecutor(clients) as threads:
        answers = list(threads.map(log_in, range(clients)))
    used = processor_time(server) - used
    time.sleep(SETTLED)
    over.set()
    watching.join()
    after = resident(server)
    print(f"{clients} log-ins at once, answered with {dict(Counter(status for status, _ in answers))}")
    print(f"the slowest answer came after {max(seconds for _, seconds in answers):.1f} s")
    print(f"processor time: {used / clients * 1000:.0f} ms a log-in")
    print(f"resident memory before: {before / MEGABYTE:.0f} MB")
    print(f"at most meanwhile: {peak[0] / MEGABYTE:.0f} MB, which is {(peak[0] - before) / MEGABYTE:.0f} MB more")
    print(f"{SETTLED:.0f} s after: {after / MEGABYTE:.0f} MB, which is {(after - before) / MEGABYTE:.0f} MB more")


def family(process: int) -> list[int]:
    """Return a process and all that it has started."""
    found = [process]
    for thread in Path(f"/proc/{process}/task").iterdir():
        # Threads come and go.
        with suppress(FileNotFoundError):
            found += [each for child in (thread / "children").read_text().split() for each in family(int(child))]
    return found


def resident(server: int) -> int:
    """Return the bytes of resident memory of a server's processes."""
    pages = [int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in family(server)]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE")


def processor_time(server: int) -> float:
    """Return the seconds of processor time that a server's processes have used."""
    fields = [Path(f"/proc/{each}/stat").read_text().rpartition(") ")[2].split() for each in family(server)]
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
