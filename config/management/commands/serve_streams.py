"""``manage.py serve_streams``: the process of a larger site that holds the event streams."""

import signal
from contextlib import suppress
from typing import Any

from django.core.management import BaseCommand, CommandParser

from database.migration_state import refuse_other_schema
from streams.server import StreamServer


class Command(BaseCommand):
    """Serves event streams by ASGI behind a proxy, until SIGTERM or Ctrl-C."""

    help = "Serve event streams. Pages and other requests are answered too, but have a server of their own."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--host`` and ``--port``."""
        parser.add_argument("--host", default="127.0.0.1", help="the IP address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8001, help="the port to listen on (default: 8001)")

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        """Serve, and end all streams at once when it is to stop."""
        refuse_other_schema()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            StreamServer(host=host, port=port).run()
