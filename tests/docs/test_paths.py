"""Files and folders that the texts name exist."""

import re

import pytest

from tests.docs.texts import ROOT, TEXTS, name_of

PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w.-]+\.(?:py|html|css|js|md|json|toml|ya?ml|txt|lock|po))?)`")
SPOKEN = re.compile(r"`(\w+\.js)`")
MADE_LATER = ("var/", "staticfiles/", "locale/", ".ci/node_modules/")
"""The folders where files come to lie that are not in the repository."""
OF_EVERY_APP = {path.name for path in (ROOT / "matches").iterdir() if path.is_dir()}
PRESENT = [path for path in TEXTS if path.parent.name != "adr" and path.name != "CHANGELOG.md"]
"""The texts that speak of today: decisions and the changelog speak of the past, too."""


def absent(text: str) -> list[str]:
    """Return the paths in a text where nothing is: from the top of the repository, or a folder that every app has."""
    named = [path for path in PATH.findall(text) if not path.startswith(MADE_LATER)]
    return [path for path in named if not ((ROOT / path).exists() or path.strip("/") in OF_EVERY_APP)]


@pytest.mark.parametrize("path", PRESENT, ids=name_of)
def test_every_path_that_a_text_names_exists(path):
    assert absent(path.read_text()) == []


@pytest.mark.parametrize("path", PRESENT, ids=name_of)
def test_every_script_that_a_text_names_exists(path):
    scripts = {file.name for file in (ROOT / "static" / "js").rglob("*.js")}
    assert set(SPOKEN.findall(path.read_text())) <= scripts


def test_a_path_that_is_gone_is_noticed():
    text = (
        "See `docs/api.md`, `matches/`, `matches/services/`, `schemas/`, `web/gone.py`, `var/kickabout.py` and `gone/`."
    )
    assert absent(text) == ["web/gone.py", "gone/"]
