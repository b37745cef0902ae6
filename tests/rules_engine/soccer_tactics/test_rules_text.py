"""The text of the rules has every rule that a refusal can name, and every preset."""

import re

from rules_engine.soccer_tactics import GAMES
from tests.docs.texts import ROOT

TEXT = (ROOT / "docs" / "rules" / "soccer-tactics.md").read_text()
RULES = [f"T{number}" for number in range(1, 20)]


def test_every_rule_has_a_heading_in_its_order():
    assert re.findall(r"^### (T[0-9]+) ", TEXT, re.MULTILINE) == RULES


def test_refusals_name_rules_of_the_text():
    package = ROOT / "rules_engine" / "soccer_tactics"
    raised = set(re.findall(r"\"(T[0-9]+)\"", "".join(path.read_text() for path in package.glob("*.py"))))
    assert raised <= set(RULES)
    assert {"T3", "T4", "T5", "T6", "T7", "T13", "T15", "T16"} <= raised


def test_every_preset_is_named():
    assert all(f"`{game.key}`" in TEXT for game in GAMES)
