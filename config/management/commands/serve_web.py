"""``manage.py serve_web``: the web processes of a larger site."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandParser

from database.migration_state import refuse_other_schema
from web.limits.open_files import ENOUGH, allow_enough_files, max_connections

HEADERS_TIMEOUT = 30
"""Seconds in which the headers of a request must arrive; a kept connection may be idle as long."""

WAITING_THREADS = 60
"""Threads besides those that may use the database: in them requests wait for one of those, or for
their bodies, or are answered without."""

KILL_TIMEOUT = 20
"""Seconds that running requests have when the server stops."""


class Command(BaseCommand):
    """Serves pages and API by WSGI, with a number of processes; one that dies is replaced."""

    help = "Serve pages and API, until SIGTERM or Ctrl-C. Event streams have a server of their own: serve_streams."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--host``, ``--port``, ``--workers`` and ``--threads``."""
        parser.add_argument("--host", default="127.0.0.1", help="the IP to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: 8000)")
        parser.add_argument("--workers", type=int, default=2, help="how many processes (default: 2)")
        parser.add_argument(
            "--threads",
            type=int,
            default=4,
            help="how many requests each of them answers from the database at a time (default: 4)",
        )

    def handle(self, *, host: str, port: int, workers: int, threads: int, **options: Any) -> None:
        """Become the server: this process supervises the others."""
        refuse_other_schema()
        allow_enough_files()
        command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port)]
        command += ["--workers", str(workers), "--respawn-failed-workers", "--workers-kill-timeout", str(KILL_TIMEOUT)]
        command += ["--blocking-threads", str(threads + WAITING_THREADS)]
        # Above it no more are accepted. A kept connection counts although nothing is sent on it.
        command += ["--backpressure", str(min(max_connections(), ENOUGH))]
        command += ["--http1-header-read-timeout", str(HEADERS_TIMEOUT * 1000)]
        # Where this is started from does not matter.
        paths = [str(settings.BASE_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "REQUEST_SLOTS": str(threads)}
        os.execve(sys.executable, [*command, "config.wsgi:application"], environment)  # noqa: S606 - without a shell
