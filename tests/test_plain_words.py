"""Sentences in code, on pages and in docs keep out the forms that plain words have replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.texts import PACKAGES

ROOT = Path(__file__).parent.parent
PYTHON = (*PACKAGES, "benchmarks", "examples", "tests")
TEXTS = {".css", ".html", ".js", ".md", ".txt"}

NOUN_CLAUSE = re.compile(r'^ *r?"""(?:How|That|Those|What|When|Where|Whether|Which|Who|Whom|Whose|Why)\b', re.MULTILINE)
"""The beginning of a docstring that could not stand alone in an index."""
RETIRED = re.compile(r"[Ww]hoever\b")
CLAUSE_AS_SUBJECT = re.compile(
    r"def test_(?:[st]\d+_)?(?:how|that|those|wh(?:at|ere|o)(?:ever)?|whether|which|whom|whose|why)_"
    r"|def test_\w*_(?:he|him|his|who(?:so)?ever)_"
)
"""A name of a test whose subject is a clause, or in which a player is a man. A rule may come before the sentence."""


def find_files() -> Iterator[Path]:
    """Yield the files with sentences for readers: no migrations and decisions, which stay as they were written."""
    for folder in PYTHON:
        yield from (path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts)
    for folder in ("docs", "static", "templates"):
        yield from (path for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS and "adr" not in path.parts)
    yield from (path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md")


def find_lines(pattern: re.Pattern[str], text: str) -> list[int]:
    """Return the numbers of the lines in which something is found."""
    return [text.count("\n", 0, found.end()) + 1 for found in pattern.finditer(text)]


@pytest.mark.once
@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        (NOUN_CLAUSE, "begin the docstring with a verb (Return the side ...) or a noun phrase (The side that ...)"),
        (RETIRED, "say who it is (the player who ..., all who ...)"),
        (CLAUSE_AS_SUBJECT, "name a test by a sentence with a noun for its subject (a_player_who_leaves_...)"),
    ],
    ids=["noun clauses", "retired", "clause as subject"],
)
def test_retired_words_do_not_come_back(pattern: re.Pattern[str], instead: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(find_files())
        for line in find_lines(pattern, path.read_text())
    ]
    assert not found, "\n".join([f"In plain words, {instead}:", *found])


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (NOUN_CLAUSE, 'x = 1\n"""Who' + ' acts next."""'),
        (RETIRED, "A point\nfor who" + "ever scores."),
        (CLAUSE_AS_SUBJECT, "x = 1\ndef test_" + "who_leaves_is_out():"),
        (CLAUSE_AS_SUBJECT, "x = 1\nasync def test_s7_" + "what_is_kicked_rolls():"),
        (CLAUSE_AS_SUBJECT, "x = 1\ndef test_a_goalie_stays_in_" + "his_area():"),
    ],
)
def test_retired_words_are_found_by_their_line(pattern: re.Pattern[str], text: str) -> None:
    assert find_lines(pattern, text) == [2]
