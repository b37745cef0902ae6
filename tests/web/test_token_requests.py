"""Requests with a token pass only the middleware that is of use to them, and are answered as on the long way."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from players.services import create_token, sign_up
from tests.players.conftest import PASSWORD
from web.requests import token_requests

pytestmark = pytest.mark.django_db

UNKNOWN = {"/api/v1/nothing/", "/api/v1/matches"}
REQUESTS: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "/api/v1/players/me/", {}),
    ("GET", "/api/v1/games/", {"Accept-Language": "de", "Origin": "https://elsewhere.example"}),
    ("GET", "/api/v1/matches/?wrong=1", {}),
    ("GET", "/api/v1/matches", {}),
    ("POST", "/api/v1/matches", {}),
    ("GET", "/api/v1/nothing/", {}),
    ("GET", "/api/v1/schema/", {}),
    ("GET", "/api/v1/docs/", {}),
    ("OPTIONS", "/api/v1/games/", {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}),
    ("DELETE", "/api/v1/games/", {}),
    ("POST", "/api/v1/matches/", {}),
    ("POST", "/api/v1/seeks/", {"Content-Type": "application/x-www-form-urlencoded"}),
    ("PUT", "/api/v1/players/me/password/", {}),
    ("GET", "/api/v1/games/", {"Host": "elsewhere.example"}),
]


@pytest.fixture
def secret() -> str:
    anna = sign_up(username="anna", password=PASSWORD, email="", now=timezone.now())
    return create_token(player=anna, name="bot", scopes=["read", "play"], now=timezone.now())[1]


def ask(method: str, path: str, headers: dict[str, str], client: Client | None = None) -> tuple[int, Any, bytes]:
    cache.clear()
    kind = headers.get("Content-Type", "application/json")
    response = (client or Client()).generic(method, path, "{}", content_type=kind, headers=headers)
    said = dict(response.items())
    # Its order says nothing.
    varies = sorted(said.pop("Vary", "").split(", "))
    return response.status_code, (varies, sorted(said.items())), response.getvalue()


def without_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_requests, "has_only_token", lambda request: False)


@pytest.mark.parametrize("scheme", ["Bearer {secret}", "bearer  {secret} ", "Bearer wrong", "Bearer "])
def test_both_ways_answer_the_same_to_the_last_header(
    secret: str, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = {"Authorization": scheme.format(secret=secret)}
    short = [ask(method, path, headers | token) for method, path, headers in REQUESTS]
    assert {path for (_, path, _), answer in zip(REQUESTS, short, strict=True) if answer[0] == 404} <= UNKNOWN
    without_short_way(monkeypatch)
    for (method, path, headers), answer in zip(REQUESTS, short, strict=True):
        assert ask(method, path, headers | token) == answer, (method, path)


def test_a_request_with_a_token_passes_no_session(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(SessionMiddleware, "process_request", lambda self, request: asked.append(request.path))
    status, _headers, _content = ask("GET", "/api/v1/players/me/", {"Authorization": f"Bearer {secret}"})
    assert (status, asked) == (200, [])


def test_a_session_beside_a_token_takes_the_long_way_and_does_not_help_a_wrong_one(secret: str) -> None:
    client = Client()
    assert client.login(username="anna", password=PASSWORD)
    wrong = client.get("/api/v1/players/me/", headers={"Authorization": "Bearer wrong"})
    right = client.get("/api/v1/players/me/", headers={"Authorization": f"Bearer {secret}"})
    assert (wrong.status_code, right.status_code) == (401, 200)
    assert hasattr(right.wsgi_request, "session")


@pytest.mark.parametrize(
    ("path", "authorization", "cookies", "is_short"),
    [
        ("/api/v1/games/", "Bearer x", {}, True),
        ("/api/v1/games/", "BEARER x", {"other": "1"}, True),
        ("/api/v1/games/", "Bearer x", {settings.SESSION_COOKIE_NAME: "x"}, False),
        ("/api/v1/games/", "Basic x", {}, False),
        ("/api/v1/games/", "", {}, False),
        ("/play/", "Bearer x", {}, False),
        ("/apis/", "Bearer x", {}, False),
    ],
)
def test_only_tokens_without_sessions_go_the_short_way(
    path: str, authorization: str, cookies: dict[str, str], is_short: bool, rf: Any
) -> None:
    request = rf.get(path, headers={"Authorization": authorization} if authorization else {})
    request.COOKIES = cookies
    assert token_requests.has_only_token(request) is is_short


def test_the_short_way_is_a_part_of_the_long_one_in_its_order() -> None:
    behind = settings.MIDDLEWARE[settings.MIDDLEWARE.index("web.requests.token_requests.TokenRequestsMiddleware") :]
    assert [each for each in behind if each in settings.TOKEN_MIDDLEWARE] == settings.TOKEN_MIDDLEWARE
