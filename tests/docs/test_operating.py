"""The commands, numbers and words of the log that docs/operating.md names exist."""

import re

from operations.backlog import KINDS
from tests.docs.texts import PACKAGES, ROOT

OPERATING = (ROOT / "docs" / "operating.md").read_text()
OF_OTHERS = {"max_connections", "max_prepared_statements", "pg_dump", "shared_buffers"}
"""The names that PostgreSQL and PgBouncer have given."""


def test_every_name_is_one_of_the_sources():
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    words = {path.stem for path in files}.union(*(re.findall(r"\w+", path.read_text()) for path in files))
    # Prometheus itself ends the names of what is counted so.
    named = {name.removesuffix("_total") for name in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", OPERATING)}
    assert "matches_not_expired" in named
    assert named - words == OF_OTHERS & named


def test_everything_that_waits_is_explained():
    (row,) = re.findall(r"^\| `kickabout_waiting\{kind\}` \|(.*)$", OPERATING, re.MULTILINE)
    assert set(re.findall(r"`([a-z_]+)`", row)) == set(KINDS)


def test_commands_for_operators_are_explained():
    for_programmers = {"seed_demo", "simulate"}
    commands = {path.stem for path in ROOT.glob("*/management/commands/*.py")} - {"__init__"} - for_programmers
    assert {name for name in commands if not re.search(rf"manage\.py {name}\b", OPERATING)} == set()
