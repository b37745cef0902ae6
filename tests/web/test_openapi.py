"""The API's description."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from players.models import Player
from tests.web.answers.description import complaints, read_description
from web.api.description import describe_api

COMMITTED = Path("docs/openapi.yaml")
UPDATE = "manage.py spectacular --file docs/openapi.yaml --validate --fail-on-warn"


def schemas_with_default(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema in a part of the description that says what stands for a value that is not sent."""
    if isinstance(part, dict):
        if "default" in part and not isinstance(part["default"], dict):
            yield part
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from schemas_with_default(each)


def test_the_committed_description_is_what_the_code_says(tmp_path):
    generated = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(generated), validate=True, fail_on_warn=True)
    assert COMMITTED.read_text() == generated.read_text(), f"Run: {UPDATE}"


def test_every_usual_value_is_one_that_may_be_sent() -> None:
    usual = list(schemas_with_default(read_description()))
    assert len(usual) > 20
    for schema in usual:
        assert complaints(schema, schema["default"]) == [], schema


@pytest.mark.django_db
def test_anybody_may_read_the_description(client):
    response = client.get("/api/v1/schema/", HTTP_ACCEPT="application/json")
    assert response.status_code == 200
    assert response.json()["openapi"] == "3.1.0"


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_description_is_made_once_and_sent_once_to_who_remembers_it(client, form):
    url = f"/api/v1/schema/?format={form}"
    first = client.get(url)
    made = describe_api.cache_info().misses
    again = client.get(url, headers={"Accept-Language": "de"})
    assert (again.content, again["ETag"]) == (first.content, first["ETag"])
    assert describe_api.cache_info().misses == made
    assert {"Accept"} <= set(first["Vary"].split(", "))
    unchanged = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", first["ETag"])


@pytest.mark.django_db
def test_the_description_that_is_sent_is_the_committed_one(client):
    response = client.get("/api/v1/schema/")
    assert response["Content-Type"] == "application/vnd.oai.openapi; charset=utf-8"
    assert response.content.decode() == COMMITTED.read_text()


@pytest.mark.django_db
def test_the_readable_page_is_the_same_for_all_and_sent_once_to_who_remembers_it(client):
    first = client.get("/api/v1/docs/")
    client.force_login(Player.objects.create(username="anna"))
    again = client.get("/api/v1/docs/")
    assert (again.content, again["ETag"]) == (first.content, first["ETag"])
    assert "anna" not in again.content.decode()
    unchanged = client.get("/api/v1/docs/", headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", first["ETag"])


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


def test_everything_has_a_summary_a_described_tag_and_answers_with_references():
    description = json.loads(json.dumps(describe_api(), default=str))
    tags = {tag["name"] for tag in description["tags"]}
    for path, item in description["paths"].items():
        for method, operation in item.items():
            assert 0 < len(operation["summary"]) <= 120, (method, path)
            assert set(operation["tags"]) <= tags, (method, path)
    assert "nullable" not in json.dumps(description)


@pytest.mark.parametrize(
    ("method", "path", "security"),
    [
        ("get", "matches/{match_id}/", [{}, {"token": []}, {"cookieAuth": []}]),
        ("get", "players/me/", [{"token": ["read"]}, {"cookieAuth": []}]),
        ("post", "seeks/", [{"token": ["play"]}, {"cookieAuth": []}]),
        ("post", "competitions/{slug}/open/", [{"token": ["organise"]}, {"cookieAuth": []}]),
        ("post", "guests/", [{}, {"token": []}, {"cookieAuth": []}]),
        ("get", "tokens/", [{"password": []}, {"cookieAuth": []}]),
    ],
)
def test_an_operation_says_who_may_ask_and_which_scope_a_token_needs(method, path, security):
    assert describe_api()["paths"][f"/api/v1/{path}"][method]["security"] == security


def test_no_default_is_an_object_because_generators_drop_the_operation_then():
    assert list(object_defaults(describe_api())) == []


def object_defaults(described):
    if isinstance(described, list):
        for each in described:
            yield from object_defaults(each)
    elif isinstance(described, dict):
        if isinstance(described.get("default"), dict | list) and described["default"]:
            yield described
        for each in described.values():
            yield from object_defaults(each)


def test_docstrings_of_members_describe_them_and_those_of_what_is_extended():
    match = describe_api()["components"]["schemas"]["Match"]
    assert match["properties"]["in_words"]["description"] == "The position in sentences."
    assert match["properties"]["ply"]["description"] == "The number of moves and rolls that have been played."
    assert match["properties"]["turn"]["oneOf"] == [{"$ref": "#/components/schemas/Side"}, {"type": "null"}]
    assert match["properties"]["deadline"]["type"] == ["string", "null"]
    assert set(match["required"]) == set(match["properties"])


def test_the_version_is_the_one_of_the_project():
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == project["version"]


@pytest.mark.django_db
def test_the_readable_page_leads_from_members_to_their_schemas_and_lists_the_values_of_enumerations(client):
    page = " ".join(client.get("/api/v1/docs/").content.decode().split())
    match = page.partition('id="schema-Match"')[2].partition("</article>")[0]
    assert '<code>turn</code> <span class="muted"> <a href="#schema-Side">Side</a> or null' in match
    assert '<code>moves</code> <span class="muted"> list of <a href="#schema-Move">Move</a>' in match
    side = page.partition('id="schema-Ending"')[2].partition("</article>")[0]
    assert "One of <code>normal-time</code>, <code>sudden-death</code>" in side
    stream = page.partition("/api/v1/stream/</code>")[2].partition("</article>")[0]
    assert 'event seek: <a href="#schema-SeekEvent">SeekEvent</a>' in stream
