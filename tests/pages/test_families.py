"""A game plugs in: what all games share names none of them."""

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from rules_engine.registry import SPECS

ROOT = Path(__file__).parents[2]
FAMILIES = sorted(SPECS)
OF_ONE_GAME = ("templates/boards/", "templates/rules/diagrams/", "static/css/boards/")
SHARED = [
    str(path.relative_to(ROOT))
    for folder, pattern in (("matches", "*.py"), ("templates", "*.html"), ("static", "*.js"), ("static", "*.css"))
    for path in (ROOT / folder).rglob(pattern)
    if not str(path.relative_to(ROOT)).startswith(OF_ONE_GAME) and "migrations" not in path.parts
]


@pytest.mark.parametrize("family", FAMILIES)
def test_no_page_script_or_view_that_all_games_share_names_a_game(family):
    name = re.compile(family.replace("-", "[-_ ]?"), re.IGNORECASE)
    assert len(SHARED) > 150
    assert [path for path in SHARED if name.search((ROOT / path).read_text())] == []


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "template", ["boards/{}.html", "boards/{}/definitions.html", "boards/{}/how.html", "rules/diagrams/{}.html"]
)
def test_each_family_has_the_templates_that_the_pages_ask_for(family, template):
    assert get_template(template.format(family)).template.name == template.format(family)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_rules_to_read(client, db, family):
    assert client.get(f"/rules/{family}/").status_code == 200
