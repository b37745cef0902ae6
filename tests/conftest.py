"""Fixtures of all tests: databases, fast hashing, a clean cache, servers, and Chromium."""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache, caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import override_settings
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from database import clock
from tests.plugins.databases import django_db_setup, migrated_database
from tests.served import METRICS_TOKEN, Served

__all__ = ["django_db_setup", "migrated_database"]

# No test asserts how long something takes: machines are busy.
hypothesis_settings.register_profile("usual", deadline=None, max_examples=40)
hypothesis_settings.register_profile("nightly", deadline=None, max_examples=400)
hypothesis_settings.load_profile("usual")

LONGEST = "tests/faults/"
"""The folder whose tests take longest, and mostly wait."""

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The names of Chromium. The first has no windows, and takes a seventh less processor time."""

NO_CHROMIUM = f"no Chromium was found: install Debian's package {CHROMIUMS[0]!r}, or set CHROMIUM to its path"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options by which a run asks for more."""
    parser.addoption("--faults", choices=("short", "long"), default="short", help="how long tests/faults breaks things")
    parser.addoption(
        "--storm", type=int, default=30, metavar="N", help="let so many things happen in tests/simulations"
    )
    parser.addoption("--storm-seed", type=int, default=1, metavar="N", help="which things happen there")
    parser.addoption(
        "--round-trips", type=int, default=500, metavar="N", help="do and take back so many acts in tests/tournaments"
    )
    parser.addoption(
        "--examples", type=int, default=0, metavar="N", help="send so many odd requests in tests/config, if not fewer"
    )


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine: ``CHROMIUM`` in the environment, or one on the PATH."""
    names = filter(None, (os.environ.get("CHROMIUM"), *CHROMIUMS))
    return next(filter(None, map(shutil.which, names)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest tests come first; skip browser tests, and say why, where there is no Chromium.

    Begun last, what takes longest would go on alone when all other tests are over. So would browsers: one process has
    them, and waits for them while the others have enough to work on; begun last, all of them would wait together.
    """
    items.sort(key=lambda item: (not item.nodeid.startswith(LONGEST), item.get_closest_marker("browser") is None))
    if find_chromium() is None:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: thousands of tests and the site's modules.

    Garbage among them stays, too: to look for it takes longer than it is worth.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Let garbage be collected from here on; ``tests.plugins.servers`` has put it off."""
    gc.enable()


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the Chromium to drive."""
    return find_chromium() or pytest.skip(NO_CHROMIUM)


@pytest.fixture(scope="session", autouse=True)
def fast_settings(django_test_environment: None) -> Iterator[None]:
    """Spare all tests what is slow on purpose, or done once for each client of each test.

    Tests of hashing ask for Argon2 themselves; WhiteNoise looks for all files when it is made, unless it looks for each
    when that is asked for.
    """
    fast = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    with override_settings(PASSWORD_HASHERS=fast, WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture(scope="session", autouse=True)
def own_clock() -> Iterator[None]:
    """Let the time be that of this process, which tests travel with. What is about the database's asks for that."""
    clock.use(timezone.now)
    yield
    clock.use(None)


@pytest.fixture
def database_clock() -> Iterator[None]:
    """Let the time be that of the database, measured anew."""
    clock.use(None)
    clock.forget()
    yield
    clock.use(timezone.now)
    clock.forget()


@pytest.fixture(autouse=True)
def clean_cache() -> Iterator[None]:
    """Clear the cache, kept answers and long tables: what is counted in one test must not count in the next."""
    from matches.views.polls import KEPT
    from players.admin.lists import RECOUNT_AT

    for each in caches.all(initialized_only=True):
        each.clear()
    KEPT.clear()
    RECOUNT_AT.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def unshared_pages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep no parts of pages in this process, since tests write rows without locks, unless a test is of ``shared``."""
    if request.node.get_closest_marker("shared") is None:
        monkeypatch.setattr("matches.views.remembered.MAX_SHARED_AGE", 0)


@pytest.fixture(scope="session")
def untouched_site(migrated_database: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data directory of a site on one machine in which nothing has happened yet. To be copied."""
    data = tmp_path_factory.mktemp("untouched")
    shutil.copy(migrated_database, data / "kickabout.sqlite3")
    return data


@pytest.fixture
def served(untouched_site: Path, tmp_path: Path) -> Iterator[Served]:
    """Yield a site in one process, which answers."""
    served = Served(shutil.copytree(untouched_site, tmp_path / "data")).wait()
    yield served
    served.kill()


@pytest.fixture(scope="session")
def shared_site(untouched_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a site in one process for all who neither stop it nor mind what others have stored in it.

    It answers with its metrics to a client that has ``METRICS_TOKEN``.
    """
    data = shutil.copytree(untouched_site, tmp_path_factory.mktemp("shared") / "data")
    served = Served(data, METRICS_TOKEN=METRICS_TOKEN).wait()
    yield served
    served.kill()


@pytest.fixture(scope="module")
def module_transaction(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Undo after the last test of a module what its fixtures have stored once for all of them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def open_connection() -> Iterator[None]:
    """Keep requests from closing the connection that holds the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def without_rates(settings) -> None:
    """Let a client send as many requests as it likes."""
    rates = dict.fromkeys(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "100000/s")
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
