"""The list of decisions is true."""

import re

from tests.docs.texts import ROOT

DIRECTORY = ROOT / "docs" / "adr"
DECISIONS = sorted(DIRECTORY.glob("[0-9]*.md"))
REPLACED = re.compile(r"^\*\*Status\.\*\* Replaced by \[(\d{4})\]", re.MULTILINE)


def title_of(text: str) -> str:
    """Return the heading of a decision."""
    found = re.match(r"# (\S[^\n]*)\n\n", text)
    return found[1] if found else ""


def test_every_decision_has_a_number_of_its_own():
    numbers = [path.name[:4] for path in DECISIONS]
    assert len(set(numbers)) == len(numbers) > 0


def test_the_list_of_decisions_has_the_title_of_each_and_says_which_are_replaced():
    listed = re.findall(
        r"^- (\[\d{4}\]\S+ .*?)(?=^- |\Z)", (DIRECTORY / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    expected = []
    for path in DECISIONS:
        text = path.read_text()
        found = REPLACED.search(text)
        replaced = f" *(replaced by {found[1]})*" if found else ""
        expected.append(f"[{path.name[:4]}]({path.name}) {title_of(text)}{replaced}")
    assert [" ".join(entry.split()) for entry in listed] == expected
