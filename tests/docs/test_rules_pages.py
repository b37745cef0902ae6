"""The pages of the rules."""

import re

import pytest
from django.urls import reverse

from matches.views.rules import read_diagram
from tests.docs.texts import RULES, RULES_OF, TEXT_OF, blocks

pytestmark = pytest.mark.django_db
families = pytest.mark.parametrize("family", RULES_OF)


def page_of(client, name):
    """Return the HTML of a page of rules."""
    response = client.get(reverse("rules", args=[name]))
    assert response.status_code == 200
    return response.content.decode()


def test_the_list_leads_to_every_text(client):
    page = client.get(reverse("rules-index")).content.decode()
    assert [path.stem for path in RULES if f'href="/rules/{path.stem}/"' not in page] == []


@families
def test_every_rule_has_an_address_of_its_own(client, family):
    page = page_of(client, family)
    letter, count = RULES_OF[family]
    assert [number for number in range(1, count + 1) if f'<h3 id="{letter.lower()}{number}">' not in page] == []


@families
def test_every_diagram_has_its_place(client, family):
    page = page_of(client, family)
    diagrams = [read_diagram(block) for block in blocks(TEXT_OF[family], "diagram")]
    assert len(diagrams) >= 4
    assert page.count('<figure class="diagram">') == len(diagrams)
    assert [diagram.position for diagram in diagrams if diagram.position not in page] == []


def test_streetsoccers_diagrams_are_drawn_as_boards(client):
    exact = page_of(client, "streetsoccer").partition('<article class="rules"')[2]
    assert exact.count('class="asphalt"') == len(blocks(TEXT_OF["streetsoccer"], "diagram"))


def test_a_diagram_is_described_to_those_who_cannot_see_it(client):
    assert "yellow goalie 1 d1, yellow player 2 b4" in page_of(client, "streetsoccer")


def test_nothing_in_a_text_needs_what_the_content_policy_forbids(client):
    for path in RULES:
        page = page_of(client, path.stem)
        assert not re.search(r"<style|<script(?![^>]*(?: src=|application/json))|\bstyle=|\bon\w+=", page), path.name


def test_links_between_the_texts_lead_to_pages(client):
    page = page_of(client, "streetsoccer")
    assert 'href="/rules/records/"' in page
    assert '.md"' not in page


def test_other_texts_are_not_found(client):
    assert client.get("/rules/chess/").status_code == 404
