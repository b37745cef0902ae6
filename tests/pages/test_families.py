"""A game plugs in: what all games share names none of them, and none of their pieces."""

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from rules_engine.registry import SPECS

ROOT = Path(__file__).parents[2]
FAMILIES = sorted(SPECS)
OF_ONE_GAME = ("templates/boards/", "templates/rules/diagrams/", "static/css/boards/")
PYTHON = ["computers", "config", "database", "matches", "operations", "players", "streams", "tournaments", "web"]
DEMO_SEASON = "simulations/demo/plans.py"
"""The one file that names games, since each of its competitions plays one."""
SHARED = [
    str(path.relative_to(ROOT))
    for folder, pattern in (
        *((folder, "*.py") for folder in PYTHON),
        ("templates", "*.html"),
        ("static", "*.js"),
        ("static", "*.css"),
    )
    for path in (ROOT / folder).rglob(pattern)
    if not str(path.relative_to(ROOT)).startswith((*OF_ONE_GAME, DEMO_SEASON)) and "migrations" not in path.parts
]
ENGINE = [
    str(path.relative_to(ROOT))
    for path in (ROOT / "rules_engine").rglob("*.py")
    if not {spec.parent.name for spec in (ROOT / "rules_engine").glob("*/spec.py")} & {path.stem, *path.parts}
]
PAGES = [path for path in SHARED if not path.endswith(".py")]

PIECES = re.compile(r"goalie|outfielder|keeper|\bpips?\b|glove|\bink(ed|ing)?\b(?<!--ink)", re.IGNORECASE)
"""The pieces with which a game is played, wherever they are named."""
WAYS = re.compile(r"\bwalk|\bkick(?!about|_)|\bbounc|goal-?mouth|\bpitch\b", re.IGNORECASE)
"""The ways and places of its pieces, which only its own templates and styles draw."""


@pytest.mark.parametrize("family", FAMILIES)
def test_no_page_script_or_view_that_all_games_share_names_a_game(family):
    name = re.compile(family.replace("-", "[-_ ]?"), re.IGNORECASE)
    assert len(SHARED) > 400
    assert [path for path in SHARED if name.search((ROOT / path).read_text())] == []


def test_nothing_that_all_games_share_names_the_pieces_of_one():
    assert len(ENGINE) > 20
    assert found(PIECES, SHARED + ENGINE) == []


def test_no_page_script_or_style_that_all_games_share_says_how_the_pieces_of_one_move():
    assert len(PAGES) > 100
    assert found(WAYS, PAGES) == []


def found(words, paths):
    """Return each file and line where one of the words stands."""
    return [
        f"{path}: {line.strip()}"
        for path in paths
        for line in (ROOT / path).read_text().splitlines()
        if words.search(line)
    ]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "template",
    [
        *(f"boards/{{}}{part}.html" for part in ("", "/definitions", "/how", "/moves", "/roll")),
        "rules/diagrams/{}.html",
    ],
)
def test_each_family_has_the_templates_that_the_pages_ask_for(family, template):
    assert get_template(template.format(family)).template.name == template.format(family)  # type: ignore[attr-defined]


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_rules_to_read(client, db, family):
    assert client.get(f"/rules/{family}/").status_code == 200
