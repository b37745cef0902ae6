"""The API's description."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from config.described import describe_api

COMMITTED = Path("docs/openapi.yaml")
UPDATE = "manage.py spectacular --file docs/openapi.yaml --validate --fail-on-warn"


def test_the_committed_description_is_what_the_code_says(tmp_path):
    generated = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(generated), validate=True, fail_on_warn=True)
    assert COMMITTED.read_text() == generated.read_text(), f"Run: {UPDATE}"


@pytest.mark.django_db
def test_anybody_may_read_the_description(client):
    response = client.get("/api/v1/schema/", HTTP_ACCEPT="application/json")
    assert response.status_code == 200
    assert response.json()["openapi"] == "3.1.0"


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_description_is_made_once_and_sent_once_to_who_remembers_it(client, form):
    address = f"/api/v1/schema/?format={form}"
    first = client.get(address)
    made = describe_api.cache_info().misses
    again = client.get(address, headers={"Accept-Language": "de"})
    assert (again.content, again["ETag"]) == (first.content, first["ETag"])
    assert describe_api.cache_info().misses == made
    assert {"Accept"} <= set(first["Vary"].split(", "))
    unchanged = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", first["ETag"])


@pytest.mark.django_db
def test_the_description_that_is_sent_is_the_committed_one(client):
    response = client.get("/api/v1/schema/")
    assert response["Content-Type"] == "application/vnd.oai.openapi; charset=utf-8"
    assert response.content.decode() == COMMITTED.read_text()


@pytest.mark.django_db
def test_the_readable_page_shows_markdown_as_what_it_means_and_its_links_lead_somewhere(client):
    page = client.get("/api/v1/docs/").content.decode()
    assert "``" not in page
    assert "<code>ladder</code> - ladder" in page
    links, schemas = (set(re.findall(pattern, page)) for pattern in (r'href="#(schema-\w+)"', r'id="(schema-\w+)"'))
    assert len(links) > 50
    assert links <= schemas


@pytest.mark.django_db
def test_the_readable_page_names_every_address_of_the_description(client):
    page = client.get("/api/v1/docs/").content.decode()
    described = [line.strip()[:-1] for line in COMMITTED.read_text().splitlines() if line.startswith("  /api/")]
    assert described
    assert [path for path in described if path not in page] == []
