"""The labels of pages that the texts for players and organisers quote stand on these pages."""

import re
from functools import cache

import pytest

from tests.docs.texts import PACKAGES, ROOT

QUOTED = re.compile(r"(?<![*\w])\*([^*`]+)\*(?!\*)")
OF_DJANGO = {"add", "staff status"}
"""Words of the admin that are Django's own."""
SOURCES = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]


@cache
def pages() -> str:
    """Return all that is written in code and templates, in small letters and with single spaces."""
    written = "\n".join(path.read_text() for path in [*SOURCES, *(ROOT / "templates").rglob("*.html")])
    return re.sub(r"\s+", " ", written.lower())


def missing(text: str) -> set[str]:
    """Return the quoted labels, in small letters and without the arrows between them, that no page has."""
    quoted = {part.strip() for label in QUOTED.findall(text) for part in re.split(r"[→\n]", label.lower())}
    return {label for label in quoted - OF_DJANGO if label not in pages()}


@pytest.mark.parametrize("name", ["docs/playing.md", "docs/organising.md"])
def test_every_quoted_label_stands_on_a_page(name):
    text = re.sub(r"(?<=\S)\n(?=\S)", " ", (ROOT / name).read_text())
    assert QUOTED.search(text)
    assert missing(text) == set()


def test_a_label_that_no_page_has_is_noticed():
    assert missing("Choose *Profile → Delete my account*, then *Erase everything*.") == {"erase everything"}
