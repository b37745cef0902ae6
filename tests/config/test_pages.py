"""Pages load nothing from elsewhere and are in English; static files are served, and the admin is for staff."""

import re

import pytest

from players.models import Player

pytestmark = pytest.mark.django_db
PAGES = ["/", "/seeks/", "/log-in/", "/sign-up/", "/api/v1/docs/", "/nothing/"]


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(client, path):
    response = client.get(path)
    policy = response["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    page = response.content.decode()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*(?:\bsrc=|application/json))", page)
    assert set(re.findall(r'(?:src|href)="(\w+:)?//', page)) == set()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["de", "nl", "pl", "cs", "fr-CA,fr;q=0.9"])
def test_pages_call_themselves_english_while_no_other_language_is_complete(client, path, language):
    asked_in_english = client.get(path)
    response = client.get(path, HTTP_ACCEPT_LANGUAGE=language)
    assert response.get("Content-Language", "en") == "en"
    assert re.search(r'<html lang="(\w+)"', response.content.decode()).group(1) == "en"
    assert visible_words(response) == visible_words(asked_in_english)


def test_refusals_are_in_english_while_no_other_language_is_complete(client):
    response = client.post("/log-in/", {"username": "", "password": ""}, HTTP_ACCEPT_LANGUAGE="de")
    assert "This field is required." in response.content.decode()


def visible_words(response):
    """Return the text of a page without its markup, and without tokens that differ at each request."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_static_files_are_served_whole_in_parts_and_not_at_all_when_known(client):
    whole = client.get("/static/css/kickabout.css")
    assert whole.status_code == 200
    assert whole["Content-Type"].startswith("text/css")
    part = client.get("/static/css/kickabout.css", HTTP_RANGE="bytes=0-9")
    assert (part.status_code, part.content) == (206, whole.content[:10])
    known = client.get("/static/css/kickabout.css", HTTP_IF_NONE_MATCH=whole["ETag"])
    assert (known.status_code, known.content) == (304, b"")
    assert client.head("/static/css/kickabout.css").content == b""
    assert client.post("/static/css/kickabout.css").status_code == 405
    assert client.get("/static/../config/settings.py").status_code == 404


def test_a_player_is_made_and_changed_in_the_admin(client):
    boss = Player.objects.create(username="boss", is_staff=True, is_superuser=True)
    client.force_login(boss)
    password = "correct horse 7"
    new = {"username": "anna", "password1": password, "password2": password, "usable_password": "true"}
    assert client.post("/admin/players/player/add/", new).status_code == 302
    anna = Player.objects.get(username="anna")
    assert anna.check_password(password)
    assert client.get(f"/admin/players/player/{anna.pk}/change/").status_code == 200
