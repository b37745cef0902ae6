"""Decisions have the parts of their template, and the list of decisions is true."""

from __future__ import annotations

import re
from datetime import date

from tests.docs.texts import ROOT

DIRECTORY = ROOT / "docs" / "adr"
DECISIONS = sorted(DIRECTORY.glob("[0-9]*.md"))
TEMPLATE = DIRECTORY / "template.md"
FIRST_WITH_ALTERNATIVES = "0038"
"""Most older decisions do not say what else was considered."""
STATUS = re.compile(r"(?:Accepted|Proposed|Replaced by \[(\d{4})\]\(\1-[a-z0-9-]+\.md\))\.")


def title_of(text: str) -> str:
    """Return the heading of a decision."""
    found = re.match(r"# (\S[^\n]*)\n\n", text)
    return found[1] if found else ""


def parts_of(text: str) -> dict[str, str]:
    """Return the parts of a decision in order, each by the words in bold that begin it."""
    found = re.split(r"^\*\*([^*\n]+)\.\*\*\s", text, flags=re.MULTILINE)
    return dict(zip(found[1::2], (part.strip() for part in found[2::2]), strict=True))


def faults_in(text: str, optional: tuple[str, ...] = ()) -> list[str]:
    """Return what a decision lacks."""
    parts = parts_of(text)
    faults = [] if title_of(text) else ["no title"]
    faults += [f"no {name}" for name in parts_of(TEMPLATE.read_text()) if name not in optional and not parts.get(name)]
    if "Status" in parts and not STATUS.match(parts["Status"]):
        faults.append("an unknown status")
    try:
        date.fromisoformat(parts.get("Date", "").rstrip("."))
    except ValueError:
        faults.append("no real date")
    return faults


def test_every_decision_has_title_date_status_reason_and_consequences():
    faults = {
        path.name: faults_in(path.read_text(), () if path.name >= FIRST_WITH_ALTERNATIVES else ("Alternatives",))
        for path in DECISIONS
    }
    assert {name: found for name, found in faults.items() if found} == {}


def test_a_decision_without_a_part_or_with_a_made_up_status_is_noticed():
    whole = TEMPLATE.read_text()
    assert faults_in(whole) == []
    assert faults_in(whole.replace("# A sentence", "A sentence")) == ["no title"]
    assert faults_in(whole.replace("**Alternatives.**", "Alternatives:")) == ["no Alternatives"]
    assert faults_in(whole.replace("**Alternatives.**", "Alternatives:"), ("Alternatives",)) == []
    assert faults_in(whole.replace("**Decision.**", "Decision:")) == ["no Decision"]
    assert faults_in(whole.replace("Accepted.", "Perhaps.")) == ["an unknown status"]
    assert faults_in(whole.replace("Accepted.", "Replaced by [0042](0043-a-later-one.md).")) == ["an unknown status"]
    assert faults_in(whole.replace("2026-01-31", "2026-02-31")) == ["no real date"]


def test_decisions_are_numbered_without_a_gap():
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_the_list_of_decisions_has_the_title_of_each_and_says_which_are_replaced():
    listed = re.findall(
        r"^- (\[\d{4}\]\S+ .*?)(?=^- |\Z)", (DIRECTORY / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    expected = []
    for path in DECISIONS:
        text = path.read_text()
        found = STATUS.match(parts_of(text)["Status"])
        replaced = f" *(replaced by {found[1]})*" if found and found[1] else ""
        expected.append(f"[{path.name[:4]}]({path.name}) {title_of(text)}{replaced}")
    assert [" ".join(entry.split()) for entry in listed] == expected
