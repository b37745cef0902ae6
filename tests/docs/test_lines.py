"""Lines that a reader sees whole: of prose, and of templates with one tag a line that begins a part of the page."""

from __future__ import annotations

import re

import pytest

from tests.docs.texts import ROOT, TEXTS, name_of

TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"})
MAX_TEMPLATE_LINE = 140
MAX_PROSE_LINE = 100
PART = re.compile(
    r"<(?:article|aside|br|caption|d[dlt]|details|div|fieldset|footer|form|h[1-6]|head|header|html|li|link|main|meta|"
    r"nav|ol|option|p|section|summary|table|tbody|td|thead|th|tr|ul)\b"
)
"""What begins a line of its own on a page."""


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_a_template_has_short_lines_with_one_part_each(path):
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > MAX_TEMPLATE_LINE] == []
    assert [line for line in lines if len(PART.findall(line)) > 1] == []


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_prose_has_short_lines(path):
    prose = re.sub(r"^ *```.*?^ *```$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in prose.splitlines() if not line.startswith(("|", "!["))]
    assert [line for line in lines if len(line) > MAX_PROSE_LINE] == []
