"""The API's description."""

from pathlib import Path

import pytest
from django.core.management import call_command

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
def test_the_readable_page_names_every_address_of_the_description(client):
    page = client.get("/api/v1/docs/").content.decode()
    described = [line.strip()[:-1] for line in COMMITTED.read_text().splitlines() if line.startswith("  /api/")]
    assert described
    assert [path for path in described if path not in page] == []
