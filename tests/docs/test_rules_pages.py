"""The pages of the rules."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.docs.texts import DIAGRAMS, RULES, STREETSOCCER, blocks

pytestmark = pytest.mark.django_db


def page_of(client, name):
    """Return the HTML of a page of rules."""
    response = client.get(reverse("rules", args=[name]))
    assert response.status_code == 200
    return response.content.decode()


def test_the_list_leads_to_every_text(client):
    page = client.get(reverse("rules-index")).content.decode()
    assert [path.stem for path in RULES if f'href="/rules/{path.stem}/"' not in page] == []


def test_every_rule_has_an_address_of_its_own(client):
    page = page_of(client, "streetsoccer")
    assert [number for number in range(1, 22) if f'<h3 id="s{number}">' not in page] == []


def test_every_diagram_is_drawn_as_a_board(client):
    page = page_of(client, "streetsoccer")
    wanted = len(blocks(STREETSOCCER, "diagram"))
    assert wanted >= 6
    assert page.count('<figure class="diagram">') == page.count('class="asphalt"') == wanted
    assert [diagram.position for diagram in DIAGRAMS if diagram.position not in page] == []


def test_a_diagram_is_told_to_those_who_cannot_see_it(client):
    assert "yellow goalie 1 d1, yellow player 2 b4" in page_of(client, "streetsoccer")


def test_nothing_in_a_text_needs_what_the_content_policy_forbids(client):
    for path in RULES:
        page = page_of(client, path.stem)
        assert not re.search(r"<style|<script(?![^>]* src=)|\bstyle=|\bon\w+=", page), path.name


def test_links_between_the_texts_lead_to_pages(client):
    page = page_of(client, "streetsoccer")
    assert 'href="/rules/records/"' in page
    assert '.md"' not in page


def test_other_texts_are_not_found(client):
    assert client.get("/rules/chess/").status_code == 404
