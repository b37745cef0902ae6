"""Links and pictures lead somewhere."""

import re
from functools import cache

from tests.docs.texts import ROOT, TEXTS, anchors, name_of

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
MAX_PICTURE_SIZE = 300_000


@cache
def anchors_in(path):
    return anchors(path.read_text())


def leads_astray(path, target):
    """Tell whether a link in a text leads to no file of the repository, or to no heading in it."""
    name, _hash, anchor = target.partition("#")
    file = (path.parent / name).resolve() if name else path
    return not file.exists() or bool(anchor and anchor not in anchors_in(file))


def test_every_link_leads_to_a_file_and_to_a_heading_in_it():
    links = [(path, found[1] or found[2]) for path in TEXTS for found in LINK.finditer(path.read_text())]
    inside = [(path, target) for path, target in links if not target.startswith(("http://", "https://"))]
    assert [(name_of(path), target) for path, target in inside if leads_astray(path, target)] == []


def test_pictures_are_small_enough_to_be_cloned_by_everybody():
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs" / "images").iterdir()}
    assert pictures
    assert {name: size for name, size in pictures.items() if size > MAX_PICTURE_SIZE} == {}
