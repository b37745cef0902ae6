"""The files and folders that CONTRIBUTING.md asks a newcomer to open are there."""

import re

from tests.docs.texts import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text()
NOT_YET = {"locale/"}
"""The folders that the first translation makes."""


def test_every_file_and_folder_that_it_names_is_there():
    named = {name for name in re.findall(r"`([\w./-]+/[\w./-]*)`", TEXT) if not name.startswith("-")} - NOT_YET
    assert len(named) > 50
    assert sorted(name for name in named if not (ROOT / name).exists()) == []
