"""A PostgreSQL for one benchmark, with the tables of this site."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import django
from django.core.management import call_command
from django.db import connections

from tests.plugins.real_servers import start_postgresql


@contextmanager
def migrated_database(*, durable: bool = False) -> Iterator[None]:
    """Start PostgreSQL, set Django up for it, and make its tables; stop it afterwards.

    One that is ``durable`` commits to disk, as in production. Models can be imported only inside.
    """
    url, server = start_postgresql(durable=durable)
    with ExitStack() as stack:
        if server is not None:
            stack.callback(server.stop)
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"DATABASE_URL": url, "DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        stack.callback(connections.close_all)
        call_command("migrate", verbosity=0)
        yield
