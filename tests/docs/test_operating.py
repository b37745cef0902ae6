"""docs/operating.md explains all numbers and commands."""

import re

from operations.backlog import KINDS
from tests.docs.texts import ROOT

OPERATING = (ROOT / "docs" / "operating.md").read_text()


def test_everything_that_waits_is_explained():
    (row,) = re.findall(r"^\| `kickabout_waiting\{kind\}` \|(.*)$", OPERATING, re.MULTILINE)
    assert set(re.findall(r"`([a-z_]+)`", row)) == set(KINDS)


def test_commands_for_operators_are_explained():
    for_programmers = {"seed_demo", "simulate", "describe_audiences"}
    commands = {path.stem for path in ROOT.glob("*/management/commands/*.py")} - {"__init__"} - for_programmers
    assert {name for name in commands if not re.search(rf"manage\.py {name}\b", OPERATING)} == set()
