"""Refusals on the pages."""

import pytest

from players.models import Player
from tests.web.test_page_throttling import set_rate

pytestmark = pytest.mark.django_db
SEEK = {"game": "streetsoccer-board", "colour": "random", "pace": "slow"}


def test_a_refusal_is_a_page_for_people_and_a_problem_for_scripts(client):
    page = client.post("/seeks/99/take/")
    assert (page.status_code, page["Content-Type"]) == (404, "text/html; charset=utf-8")
    problem = client.post("/seeks/99/take/", HTTP_ACCEPT="application/json")
    assert (problem.status_code, problem["Content-Type"]) == (404, "application/problem+json")
    assert problem.json()["code"] == "not_found"


def test_nobody_floods_the_site_with_guests(client, settings):
    set_rate(settings, "page-guests", "6/hour")
    for _ in range(6):
        client.cookies.clear()
        assert client.post("/seeks/", SEEK).status_code == 302
    client.cookies.clear()
    refused = client.post("/seeks/", SEEK)
    assert refused.status_code == 429
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert Player.objects.filter(is_guest=True).count() == 6
