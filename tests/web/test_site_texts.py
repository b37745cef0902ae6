"""What a site says of itself to crawlers, finders of faults and players."""

import json
from datetime import datetime, timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from PIL import Image

pytestmark = pytest.mark.django_db


def test_finders_of_faults_learn_whom_to_tell(client, settings):
    settings.SECURITY_CONTACT = ""
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:safe@example.org"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:safe@example.org"
    assert timezone.now() < datetime.fromisoformat(fields["Expires"]) < timezone.now() + timedelta(days=365)


def test_crawlers_leave_alone_what_is_for_programs_and_staff(client):
    rules = client.get("/robots.txt").content.decode().splitlines()
    assert rules[0] == "User-agent: *"
    assert {"Disallow: /api/", "Disallow: /admin/"} <= set(rules)


def test_the_privacy_page_says_who_runs_the_site(client, settings):
    assert "have not said" in client.get("/privacy/").content.decode()
    settings.SITE_OPERATOR, settings.SITE_CONTACT = "Club <Nine>\n1 Road", "mailto:club@example.org"
    page = client.get("/privacy/").content.decode()
    assert "Club &lt;Nine&gt;<br>1 Road" in page
    assert "mailto:club@example.org" in page
    assert 'href="/privacy/"' in client.get("/").content.decode()


def test_the_manifest_of_the_app_names_pictures_that_there_are(client):
    manifest = client.get("/manifest.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    for icon in json.loads(manifest.content)["icons"]:
        assert client.get(icon["src"])["Content-Type"] == icon["type"]
        if icon["sizes"] != "any":
            width, height = Image.open(BytesIO(client.get(icon["src"]).content)).size
            assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_of_the_app_may_be_one_of_the_whole_site(client):
    worker = client.get("/service-worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert "script-src 'self'" in worker["Content-Security-Policy"]
