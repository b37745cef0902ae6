"""The API's rates when the cache that counts requests is away."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def without_cache(monkeypatch):
    def fail(*args, **kwargs):
        raise ConnectionError("the cache is away")

    monkeypatch.setattr(cache, "get", fail)
    yield
    monkeypatch.undo()


def test_players_go_on_without_a_cache(without_cache):
    assert APIClient().get("/api/v1/matches/").status_code == 200


def test_what_is_guarded_stays_shut_without_a_cache(without_cache):
    client = APIClient(raise_request_exception=False)
    details = {"username": "anna", "password": "correct horse 7"}
    assert client.post("/api/v1/players/", details, format="json").status_code == 500
