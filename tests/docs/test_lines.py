"""Lines that a reader sees whole: of prose, and of templates with one tag a line that begins a part of the page."""

from __future__ import annotations

import re

from tests.docs.texts import ROOT, TEXTS, name_of

TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"})
MAX_TEMPLATE_LINE = 140
MAX_PROSE_LINE = 100
PART = re.compile(
    r"<(?:article|aside|br|caption|d[dlt]|details|div|fieldset|footer|form|h[1-6]|head|header|html|li|link|main|meta|"
    r"nav|ol|option|p|section|summary|table|tbody|td|thead|th|tr|ul)\b"
)
"""The elements that begin a line of their own on a page."""


def test_templates_have_short_lines_with_one_part_each():
    assert TEMPLATES
    lines = [(name_of(path), line) for path in TEMPLATES for line in path.read_text().splitlines()]
    assert [(name, line) for name, line in lines if len(line) > MAX_TEMPLATE_LINE] == []
    assert [(name, line) for name, line in lines if len(PART.findall(line)) > 1] == []


def prose_of(path):
    """Return the lines of a text that are neither code nor tables nor pictures."""
    prose = re.sub(r"^ *```.*?^ *```$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    return [line for line in prose.splitlines() if not line.startswith(("|", "!["))]


def test_prose_has_short_lines():
    assert [(name_of(path), line) for path in TEXTS for line in prose_of(path) if len(line) > MAX_PROSE_LINE] == []
