"""Links and pictures lead somewhere."""

from __future__ import annotations

import re

import pytest

from tests.docs.texts import ROOT, TEXTS, anchors, name_of

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
MAX_PICTURE_SIZE = 300_000


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_link_leads_to_a_file_and_to_a_heading_in_it(path):
    astray = []
    for found in LINK.finditer(path.read_text()):
        target = found[1] or found[2]
        if target.startswith(("http://", "https://")):
            continue
        name, _hash, anchor = target.partition("#")
        file = (path.parent / name) if name else path
        if not file.exists() or (anchor and anchor not in anchors(file.read_text())):
            astray.append(target)
    assert astray == []


def test_every_decision_is_in_the_list_of_decisions():
    directory = ROOT / "docs" / "adr"
    listed = re.findall(r"\((\d{4}-[a-z0-9-]+\.md)\)", (directory / "README.md").read_text())
    assert listed == sorted(path.name for path in directory.glob("[0-9]*.md"))


def test_pictures_are_small_enough_to_be_cloned_by_everybody():
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs" / "images").iterdir()}
    assert pictures
    assert {name: size for name, size in pictures.items() if size > MAX_PICTURE_SIZE} == {}
