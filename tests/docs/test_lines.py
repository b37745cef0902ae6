"""Lines that a reader sees whole: of templates, each with one tag that begins a part of the page."""

from __future__ import annotations

import re

import pytest

from tests.docs.texts import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
LONGEST = 140
PART = re.compile(
    r"<(?:article|aside|br|caption|d[dlt]|details|div|fieldset|footer|form|h[1-6]|head|header|html|li|link|main|meta|"
    r"nav|ol|option|p|section|summary|table|tbody|td|thead|th|tr|ul)\b"
)
"""What begins a line of its own on a page."""


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_a_template_has_short_lines_with_one_part_each(path):
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > LONGEST] == []
    assert [line for line in lines if len(PART.findall(line)) > 1] == []
