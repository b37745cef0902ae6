"""``manage.py serve``: the whole of Kickabout in one process."""

from __future__ import annotations

import errno
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser, call_command

from computers.process_pool import run_jobs_in_processes
from config.celery import app
from config.celery_threads import work_in_background
from config.data_directory import DirectoryInUseError, claim, empty
from config.secret_key import read_or_create_key
from config.site_defaults import ONE_MACHINE
from streams.server import StreamServer

HOST = "127.0.0.1"


class Command(BaseCommand):
    """Migrates the database, then serves pages and API and does the work in the background, until Ctrl-C."""

    help = "Run Kickabout in one process: pages, API and background work. Ctrl-C ends it."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--port``, ``--data`` and ``--fresh``."""
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: 8000)")
        parser.add_argument("--data", help="the directory of the database and the key (default: var/)")
        parser.add_argument("--fresh", action="store_true", help="remove the database and the key first")

    def handle(self, *, port: int, fresh: bool, **options: Any) -> None:
        """Serve until Ctrl-C or SIGTERM, and end quietly."""
        # A shell that starts this in the background makes it ignore Ctrl-C, and child processes inherit that.
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, signal.default_int_handler)
        try:
            with listen_on(port) as listener, claim(settings.DATA_DIR), Interrupts() as interrupts:
                if fresh:
                    self._remove_data()
                self._prepare()
                if settings.SITE_URL == ONE_MACHINE:
                    settings.SITE_URL = f"http://{HOST}:{port}"
                settings.EVENT_STREAMS = True
                computers = settings.COMPUTER_PROCESSES
                with run_jobs_in_processes(computers), work_in_background(app, computers=max(1, computers)):
                    interrupts.raise_lost()
                    _Server(self, port).run([listener])
        except DirectoryInUseError as error:
            raise CommandError(f"{error} Stop it, or choose another directory with --data.") from None
        except KeyboardInterrupt:
            self.stdout.write("\nKickabout has stopped. Nothing is lost: start it again and go on.")

    def _remove_data(self) -> None:
        database = Path(settings.DATABASES["default"]["NAME"])
        if database.parent != settings.DATA_DIR:
            raise CommandError(
                "--fresh removes only the database in the data directory, and DATABASE_URL names another."
            )
        removed = empty(settings.DATA_DIR)
        if "secret-key" in removed:
            settings.SECRET_KEY = read_or_create_key(settings.DATA_DIR / "secret-key")
        self.stdout.write(f"Starting afresh: removed {', '.join(removed) or 'nothing'} from {settings.DATA_DIR}")

    def _prepare(self) -> None:
        self.stdout.write(f"Data: {settings.DATA_DIR}")
        call_command("migrate", interactive=False, verbosity=0)
        if settings.PUBLIC:
            call_command("collectstatic", interactive=False, verbosity=0)


class Interrupts:
    """Keep a Ctrl-C that comes while Python runs a finalizer, where it would report the exception and go on."""

    def __enter__(self) -> Self:
        """Note from now on what is lost."""
        self._is_lost = False
        self._report: Callable[[sys.UnraisableHookArgs], Any] = sys.unraisablehook
        sys.unraisablehook = self._note
        return self

    def __exit__(self, *_error: object) -> None:
        """Report again whatever cannot be raised."""
        sys.unraisablehook = self._report

    def raise_lost(self) -> None:
        """Raise ``KeyboardInterrupt`` if there was one that could not be raised."""
        if self._is_lost:
            raise KeyboardInterrupt

    def _note(self, unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            self._is_lost = True
        else:
            self._report(unraisable)


class _Server(StreamServer):
    """Prints the site's URL as soon as it can be reached."""

    def __init__(self, command: Command, port: int) -> None:
        super().__init__()
        self._command = command
        self._port = port

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._command.stdout.write(f"Kickabout is at http://{HOST}:{self._port}/ - Ctrl-C ends it.")
            self._command.stdout.flush()


def listen_on(port: int) -> socket.socket:
    """Return a socket that is bound to a port of the loopback interface. Raises ``CommandError`` if that fails."""
    # asyncio turns off Nagle's algorithm only for sockets that name their protocol. Otherwise a client on a kept
    # connection waits 40 ms for every second part of a response.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            reason = f"Port {port} is in use by another program."
        else:
            reason = f"Port {port} cannot be used: {error}."
        raise CommandError(f"{reason} Choose another one: --port {port + 1 if 1023 < port < 65535 else 8001}") from None
    return listener
