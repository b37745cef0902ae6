"""A new decision has the parts of its template."""

from __future__ import annotations

import re
from datetime import date

from tests.docs.texts import ROOT

DIRECTORY = ROOT / "docs" / "adr"
TEMPLATE = DIRECTORY / "template.md"
FIRST_BY_TEMPLATE = "0038"
"""Older decisions stay as they were written."""
STATUS = re.compile(r"(?:Accepted|Proposed|Replaced by \[\d{4}\]\(\d{4}-[a-z0-9-]+\.md\))\.")


def parts_of(text: str) -> dict[str, str]:
    """Return the parts of a decision in order, each by the words in bold that begin it."""
    found = re.split(r"^\*\*([^*\n]+)\.\*\*\s", text, flags=re.MULTILINE)
    return dict(zip(found[1::2], (part.strip() for part in found[2::2]), strict=True))


def faults_in(text: str) -> list[str]:
    """Return what a decision lacks."""
    parts = parts_of(text)
    lacking = [name for name in parts_of(TEMPLATE.read_text()) if not parts.get(name)]
    faults = [f"no {name}" for name in lacking]
    if "Status" in parts and not STATUS.match(parts["Status"]):
        faults.append("an unknown status")
    try:
        date.fromisoformat(parts.get("Date", "").rstrip("."))
    except ValueError:
        faults.append("no real date")
    return faults


def test_a_new_decision_has_date_status_reason_consequences_and_alternatives():
    new = [path for path in DIRECTORY.glob("[0-9]*.md") if path.name >= FIRST_BY_TEMPLATE]
    assert {path.name: faults for path in new if (faults := faults_in(path.read_text()))} == {}


def test_a_decision_without_alternatives_or_with_a_made_up_status_is_noticed():
    whole = TEMPLATE.read_text()
    assert faults_in(whole) == []
    assert faults_in(whole.replace("**Alternatives.**", "Alternatives:")) == ["no Alternatives"]
    assert faults_in(whole.replace("Accepted.", "Perhaps.")) == ["an unknown status"]
    assert faults_in(whole.replace("2026-01-31", "2026-02-31")) == ["no real date"]
