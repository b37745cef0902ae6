"""Answers for one caller stay out of caches, and secret URLs out of other requests."""

import base64

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import Player
from players.services import create_token, sign_up
from tests.operations.test_secrets_in_logs import SECRET_ROUTES, url_of
from tests.players.conftest import NOON, PASSWORD
from tests.tournaments.verbs import make_cup

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(db):
    return sign_up(username="anna", password=PASSWORD, email="", now=NOON)


def by_token(player):
    _token, secret = create_token(player=player, name="bot", scopes=["read", "play"], now=timezone.now())
    return {"Authorization": f"Bearer {secret}"}


def by_password(player):
    return {"Authorization": "Basic " + base64.b64encode(f"{player.username}:{PASSWORD}".encode()).decode()}


def test_an_answer_to_somebody_is_stored_by_nobody(client, anna):
    client.force_login(anna)
    answers = [client.get("/nothing/")] + [
        APIClient().get(path, headers=headers)
        for path, headers in (
            ("/api/v1/players/me/", by_token(anna)),
            ("/api/v1/tokens/", by_password(anna)),
            ("/api/v1/players/me/", {"Authorization": "Bearer wrong"}),
            ("/api/v1/nothing/", by_token(anna)),
        )
    ]
    for answer in answers:
        assert "no-store" in answer["Cache-Control"]
        assert {"Authorization", "Cookie"} <= {name.strip() for name in answer["Vary"].split(",")}


def test_an_answer_with_an_entity_tag_is_kept_by_its_caller_only_who_asks_again(client):
    make_cup()
    path = "/api/v1/competitions/cup/"
    public = client.get(path)
    assert "Cache-Control" not in public
    known = client.get(path, headers={"If-None-Match": public["ETag"]})
    assert (known.status_code, "Cache-Control" in known) == (304, False)
    client.force_login(Player.objects.create(username="piotr"))
    for headers in ({}, {"If-None-Match": client.get(path)["ETag"]}):
        own = client.get(path, headers=headers)
        assert own.status_code == (304 if headers else 200)
        assert {part.strip() for part in own["Cache-Control"].split(",")} == {"private", "no-cache"}


def test_answers_that_everybody_reads_may_be_kept(client):
    assert "public" in client.get("/api/v1/schema/")["Cache-Control"]
    assert "no-store" not in client.get("/static/css/kickabout.css").get("Cache-Control", "")
    assert "no-store" not in client.get("/api/v1/games/").get("Cache-Control", "")


def test_a_failure_is_stored_by_nobody(anna, monkeypatch):
    def fail(**about):
        raise RuntimeError

    monkeypatch.setattr("players.api.views.find_any_player", fail)
    client = APIClient(raise_request_exception=False)
    answer = client.get("/api/v1/players/anna/", headers=by_token(anna))
    assert (answer.status_code, answer["Cache-Control"]) == (500, "no-store")


@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
def test_a_secret_url_is_named_to_nobody_and_stored_by_nobody(client, route):
    for url in (url_of(route), url_of(route).rstrip("/")):
        answer = client.get(url)
        assert "no-store" in answer["Cache-Control"]
        assert answer["Referrer-Policy"] == "strict-origin"
    assert client.get("/")["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
def test_a_form_behind_a_secret_url_is_taken_with_the_referer_that_its_page_allows(route):
    """Over https Django wants to know from which site a form comes."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["kickabout_csrf"] = token = "x" * 32
    for name, value in (("Referer", "https://testserver/"), ("Origin", "https://testserver")):
        answer = client.post(url_of(route), secure=True, headers={"X-CSRFToken": token, name: value})
        assert answer.status_code != 403
