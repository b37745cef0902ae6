"""Parameters of which only some are worth the time: on both kinds of database, or in a run of everything.

``script/test`` runs every test, and of those that take a database or a browser one of their samples; which one
follows from the test's name, so that all formats, roles and pages come up with some test. Of the tests of rules,
formats and pairings it runs an eighth of their samples. Both databases are asked all that depends on which database it
is. Each of the other tests is asked of one of them: every sixth of PostgreSQL.
``--every-sample``, which .ci/run gives, asks both for all of them, and so does a run of a part (a path, ``-k``
or ``-m``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

from tests.plugins.servers import PURE, SQLITE_ONLY, uses_a_database

Value = TypeVar("Value")

FEW = 1
"""So many samples of a test that takes a database or a browser, unless it is marked ``samples``."""
OF_POSTGRESQL = 6
"""PostgreSQL is asked every sixth of the tests that could be asked of either, and a sixth of a test's samples."""
OF_REPEATED = 8
"""A run of everything asks for an eighth of the random examples, rounds, and samples of pure tests."""
FEW_EXAMPLES = "few"
"""The name of hypothesis's profile in such a run."""
DIALECTS = "tests/database/"
"""The folder whose tests are about what each database does in its own way."""


def sampled(values: Iterable[Any], *, on_both: Collection[Any] = (), usual: Collection[Any] | None = None) -> list[Any]:
    """Return the values for ``parametrize``: those ``on_both`` run on SQLite and on PostgreSQL, the others on SQLite.

    Where some are ``usual``, the others run with ``--every-sample`` only.
    """
    return [value if value in on_both else pytest.param(value, marks=_marks(value, usual)) for value in values]


def _marks(value: Any, usual: Collection[Any] | None) -> list[pytest.MarkDecorator]:
    return [pytest.mark.once] if usual is None or value in usual else [pytest.mark.once, pytest.mark.extra]


def runs_every_sample(config: pytest.Config) -> bool:
    """Tell whether this run is to leave nothing out: it is told so, or asked for a part of the tests."""
    option = config.option
    # Processes of xdist are given as arguments what the run's own process has read in pyproject.toml.
    everything = {config.rootpath / path for path in config.getini("testpaths")}
    read = {config.rootpath / path for path in config.args}
    return bool(option.every_sample or option.thorough or read != everything or option.keyword or option.markexpr)


def share(number: int) -> int:
    """Return how many of so many random examples, rounds or requests this run asks for: all, or an eighth of them."""
    return max(1, number // OF_REPEATED) if settings.get_current_profile_name() == FEW_EXAMPLES else number


def some(values: Iterable[Value], name: str) -> list[Value]:
    """Return all of the values, or of those an eighth in a run of everything; which ones follows from the name."""
    listed = list(values)
    return spread(listed, share(len(listed)), start=crc32(name.encode()))


def choose_samples(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of a run of everything what is marked ``extra``, and all but a few samples of each test."""
    if runs_every_sample(config):
        return
    is_sqlite = config.getoption("database") == "sqlite"
    samples: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not item.get_closest_marker("extra"):
            samples[item.nodeid.partition("[")[0]].append(item)
    kept: set[pytest.Item] = set()
    for name, of_the_test in samples.items():
        start = crc32(name.encode())
        is_for_postgresql = start % OF_POSTGRESQL == 0
        is_for_other = is_for_postgresql and config.option.split if is_sqlite else not is_for_postgresql
        if is_for_other and may_be_asked_of_either(of_the_test):
            continue
        # SQLite skips what is for PostgreSQL alone.
        asked = [
            each for each in of_the_test if not (is_sqlite and each.get_closest_marker("postgresql"))
        ] or of_the_test
        wanted = _wanted(asked, is_sqlite=is_sqlite)
        kept.update(asked if wanted is None else spread(asked, wanted, start=start // OF_POSTGRESQL))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def spread(values: list[Value], wanted: int, *, start: int) -> list[Value]:
    """Return so many of the values, at equal distances; the first of them is ``start`` places from the beginning."""
    count = len(values)
    places = {(start + number * count // wanted) % count for number in range(wanted)}
    return [value for place, value in enumerate(values) if place in places]


def depends_on_the_database(item: pytest.Item) -> bool:
    """Tell whether a test is about what databases do differently: it says so, or commits, or lies where all do.

    A test that commits, and is about something else, is marked ``either``.
    """
    marker = item.get_closest_marker("django_db")
    fixtures = getattr(item, "fixturenames", ())
    commits = bool(marker and marker.kwargs.get("transaction")) or "transactional_db" in fixtures
    if item.get_closest_marker("postgresql") or item.nodeid.startswith(DIALECTS):
        return True
    return commits and not item.get_closest_marker("either")


def may_be_asked_of_either(samples: Collection[pytest.Item]) -> bool:
    """Tell whether one of both databases is enough for a test: it depends on neither, and says not how often."""
    of_both = [each for each in samples if uses_a_database(each) and not any(map(each.get_closest_marker, SQLITE_ONLY))]
    return bool(of_both) and not any(
        depends_on_the_database(each) or each.get_closest_marker("samples") for each in samples
    )


def _wanted(samples: Collection[pytest.Item], *, is_sqlite: bool) -> int | None:
    """Return how many samples of a test are asked, ``None`` for all."""
    item = next(iter(samples))
    marker = item.get_closest_marker("samples")
    if not marker and item.nodeid.startswith(PURE):
        return max(FEW, len(samples) // OF_REPEATED)
    if not marker and not uses_a_database(item) and not item.get_closest_marker("browser"):
        return None
    wanted = marker.args[0] if marker else FEW
    return wanted if is_sqlite or item.get_closest_marker("postgresql") else max(FEW, wanted // OF_POSTGRESQL)
