"""Chooses what the tests run on, before pytest-django reads the settings (so it is loaded with ``-p``).

``--database sqlite`` (the default) needs nothing; ``--database postgresql`` runs on real PostgreSQL
and Valkey what is marked ``postgresql`` or ``both_databases``.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.plugins.real_servers import KeptServer, ServerMissingError, start_postgresql, start_valkey

VENDORS = ("sqlite", "postgresql")
PURE = ("tests/rules_engine", "tests/formats")
"""Folders of which no test uses a database: they are not even read for PostgreSQL."""
READ_BY_THE_SETTINGS = """
    ALLOWED_HOSTS BROKER_URL CSRF_TRUSTED_ORIGINS DATABASE_URL DATA_DIR DEBUG DEFAULT_FROM_EMAIL EMAIL_URL EVENT_STREAMS
    HTTPS LOG_LEVEL MAX_STREAMS_PER_CLIENT METRICS_DIR METRICS_HOST METRICS_PORT METRICS_TOKEN PREPARED_STATEMENTS
    QUEUES_BY_KIND REDIS_URL REPLICA_URL SECRET_KEY SITE_URL STATIC_ROOT TRUSTED_PROXIES
""".split()

_servers: list[KeptServer] = []
_data_dirs: list[Path] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--database``."""
    parser.addoption("--database", choices=VENDORS, default="sqlite", help="what the tests run on (default: sqlite)")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Set the environment that the settings read. Workers of xdist inherit it, each with a Valkey database."""
    # What is made while the site and all tests are read stays: to look for garbage in it takes a quarter of that time.
    gc.disable()
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        for name in READ_BY_THE_SETTINGS:
            os.environ.pop(name, None)
        data_dir = Path(tempfile.mkdtemp(prefix="kick-data-"))
        _data_dirs.append(data_dir)
        os.environ["DATA_DIR"] = str(data_dir)
        if early_config.known_args_namespace.database == "postgresql":
            _start_servers()
    elif "REDIS_URL" in os.environ:
        _choose_valkey_database(int(worker.removeprefix("gw")) + 1)
    return (yield)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fail rather than test on anything else than what was asked for."""
    from django.db import connection

    wanted = session.config.getoption("database")
    if connection.vendor != wanted:
        raise pytest.UsageError(f"The tests should run on {wanted}, but the settings say {connection.vendor}.")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not read, on PostgreSQL, folders whose tests use no database."""
    if config.getoption("database") == "sqlite" or not collection_path.is_dir():
        return None
    return True if any(collection_path == config.rootpath / folder for folder in PURE) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip, on SQLite, what needs PostgreSQL; leave out, on PostgreSQL, what is not about the database."""
    if config.getoption("database") == "sqlite":
        for item in items:
            if item.get_closest_marker("postgresql"):
                item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: script/test --database postgresql"))
        return
    chosen: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        is_about_it = item.get_closest_marker("postgresql") or item.get_closest_marker("both_databases")
        (chosen if is_about_it else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = chosen


def pytest_report_header(config: pytest.Config) -> str:
    """Say what the tests run on."""
    return f"database: {config.getoption('database')}"


def pytest_unconfigure() -> None:
    """Stop what was started and remove what was written."""
    while _servers:
        _servers.pop().stop()
    while _data_dirs:
        shutil.rmtree(_data_dirs.pop(), ignore_errors=True)


def _start_servers() -> None:
    try:
        for variable, start in (("DATABASE_URL", start_postgresql), ("REDIS_URL", start_valkey)):
            url, server = start()
            os.environ[variable] = url
            if server:
                _servers.append(server)
    except ServerMissingError as error:
        pytest_unconfigure()
        raise pytest.UsageError(str(error)) from None


def _choose_valkey_database(number: int) -> None:
    """Keep the caches and queues of workers apart: a test that clears its cache clears no other's."""
    url = urlsplit(os.environ["REDIS_URL"])
    if url.scheme == "unix":
        os.environ["REDIS_URL"] = f"unix://{url.path}?db={number}"
        os.environ["BROKER_URL"] = f"redis+socket://{url.path}?virtual_host={number}"
    else:
        os.environ["REDIS_URL"] = urlunsplit(url._replace(path=f"/{number}"))
