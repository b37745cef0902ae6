"""The texts of the repository, and what is found in them."""

import re
from pathlib import Path

from matches.views.rules import read_diagram

ROOT = Path(__file__).parent.parent.parent
RULES = sorted((ROOT / "docs" / "rules").glob("*.md"))
RULES_OF = {"streetsoccer": ("S", 21), "paper-soccer": ("P", 9), "soccer-tactics": ("T", 19)}
"""By family: the letter of its rules' ids, and how many there are."""
TEXT_OF = {family: (ROOT / "docs" / "rules" / f"{family}.md").read_text() for family in RULES_OF}
RECORDS = (ROOT / "docs" / "rules" / "records.md").read_text()
PACKAGES = (
    "config",
    "operations",
    "push",
    "streams",
    "simulations",
    "tournaments",
    "matches",
    "computers",
    "players",
    "web",
    "database",
    "formats",
    "rules_engine",
)
"""The rooms of the house."""
TEXTS = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "benchmarks" / "README.md",
    ROOT / "rules_engine" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def name_of(path: Path) -> str:
    """Return a text's path as one writes it."""
    return str(path.relative_to(ROOT))


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def table(text: str, name: str) -> list[list[str]]:
    """Return the cells of the rows of the table that follows ``<!-- table: name -->``, without its head."""
    after = text.partition(f"<!-- table: {name} -->")[2].strip().splitlines()
    rows = []
    for line in after:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows[2:]


def anchors(text: str) -> set[str]:
    """Return the fragments of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


DIAGRAMS = [read_diagram(block) for path in RULES for block in blocks(path.read_text(), "diagram")]
