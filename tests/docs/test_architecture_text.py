"""Names in docs/architecture.md and the texts beside it are those of the sources."""

import re
from functools import cache

import pytest

from tests.docs.texts import PACKAGES, ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text()
OF_OTHERS = {
    "connect_query",
    "max_connections",
    "max_prepared_statements",
    "pg_dump",
    "shared_buffers",
    "DiskFull",
    "ExecStart",
}
"""The names that PostgreSQL, PgBouncer and systemd have given. Prometheus itself ends what is counted in ``_total``."""


@cache
def words_of_the_sources() -> set[str]:
    """Return what files of the code and its tests are called, and all words in them."""
    files = [path for package in (*PACKAGES, "tests") for path in (ROOT / package).rglob("*.py")]
    files += (ROOT / "templates").rglob("*.html")
    return {path.stem for path in files}.union(*(re.findall(r"\w+", path.read_text()) for path in files))


@pytest.mark.parametrize("name", ["docs/architecture.md", "docs/developing.md", "docs/operating.md", "CONTRIBUTING.md"])
def test_every_name_in_code_is_one_of_the_sources(name):
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)`", (ROOT / name).read_text()))
    assert named
    assert {word.removesuffix("_total") for word in named} - words_of_the_sources() - OF_OTHERS == set()


def test_every_room_is_listed():
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks", "tests"}
    assert packages == set(PACKAGES)


def test_the_arrows_are_those_of_the_contracts():
    contract = re.search(
        r'^name = "packages: .*?^layers = \[(.*?)\]', (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL
    )
    layers = re.findall(r'"([^"]+)"', contract[1])
    assert " → ".join([*layers[:-2], "database"]) in TEXT
    assert layers[-2:] == ["database | formats", "rules_engine"]
