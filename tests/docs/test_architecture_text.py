"""docs/architecture.md shows the house as it is: it names every module of every room once, and no other."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.texts import PACKAGES, ROOT, table

TEXT = (ROOT / "docs" / "architecture.md").read_text()
LISTED = (
    *PACKAGES,
    "tournaments/services",
    "rules_engine/streetsoccer",
    "rules_engine/paper_soccer",
    "rules_engine/soccer_tactics",
)


def modules_of(package: Path) -> list[str]:
    """Return the names of the modules and packages directly in a package."""
    modules = [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    return sorted(modules + [path.parent.name for path in package.glob("*/__init__.py")])


def named_in(package: str) -> list[str]:
    """Return the names in the first column of a package's table."""
    return sorted(name for cells in table(TEXT, f"modules: {package}") for name in re.findall(r"`(\w+)`", cells[0]))


@cache
def words_of_the_sources() -> set[str]:
    """Return what files of the code and its tests are called, and all words in them."""
    files = [path for package in (*PACKAGES, "tests") for path in (ROOT / package).rglob("*.py")]
    files += (ROOT / "templates").rglob("*.html")
    return {path.stem for path in files}.union(*(re.findall(r"\w+", path.read_text()) for path in files))


@pytest.mark.parametrize("package", LISTED)
def test_every_module_of_a_room_is_named_once_and_every_one_named_exists(package):
    assert named_in(package) == modules_of(ROOT / package)


@pytest.mark.parametrize("name", ["docs/architecture.md", "docs/developing.md", "CONTRIBUTING.md"])
def test_every_name_in_code_is_one_of_the_sources(name):
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)`", (ROOT / name).read_text()))
    assert named
    assert named - words_of_the_sources() == set()


def test_every_room_is_listed():
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks", "tests"}
    assert packages == set(PACKAGES)
    assert set(re.findall(r"<!-- table: modules: (\S+) -->", TEXT)) == set(LISTED)


def test_the_arrows_are_those_of_the_contracts():
    contract = re.search(
        r'^name = "packages: .*?^layers = \[(.*?)\]', (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL
    )
    layers = re.findall(r'"([^"]+)"', contract[1])
    assert " → ".join([*layers[:-1], "database"]) in TEXT
    assert layers[-1] == "database | rules_engine"
