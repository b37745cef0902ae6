"""Pages of other origins use the API by tokens, and nothing else of the site."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, Scope
from players.services import create_token
from tests.permissions.test_permissions import FOR_STRANGERS, TABLE, ask, client_of, whoever_may, world
from tests.permissions.world import World

__all__ = ["world"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("world")]

ELSEWHERE = "https://elsewhere.example"
ORIGIN = {"Origin": ELSEWHERE}
ALLOWED = "access-control-allow-origin"
CREDENTIALS = "access-control-allow-credentials"
PREFLIGHT = ORIGIN | {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}
API_ROWS = [row for row in TABLE if row[1].startswith("api/") and row[1] != "api/v1/docs/"]
API_READS = [row for row in API_ROWS if row[0] == "GET"]
API_WRITES = [row for row in API_ROWS if row[0] != "GET" and row not in FOR_STRANGERS]


def named(header: str) -> set[str]:
    return {name.strip().lower() for name in header.split(",")}


def test_a_preflight_is_answered_for_every_url_of_the_api(world: World) -> None:
    for _method, route in API_ROWS:
        response = Client().options(world.fill(route), headers=PREFLIGHT)
        assert (route, response.status_code, response[ALLOWED]) == (route, 200, "*")
        assert named(response["access-control-allow-methods"]) >= {"get", "post", "put", "patch", "delete"}
        headers = "authorization content-type idempotency-key if-none-match last-event-id prefer".split()
        assert named(response["access-control-allow-headers"]) >= set(headers)
        assert CREDENTIALS not in response


def test_a_preflight_is_counted_against_no_rate(settings: Any) -> None:
    for _ in range(3):
        assert "RateLimit" not in Client().options("/api/v1/seeks/", headers=PREFLIGHT)


def test_every_answer_of_the_api_may_be_read_elsewhere(world: World) -> None:
    for method, route in API_ROWS:
        response = ask(Client(headers=ORIGIN), world, method, route)
        assert (method, route, response[ALLOWED]) == (method, route, "*")
        assert CREDENTIALS not in response


def test_headers_that_programs_need_can_be_read_elsewhere(world: World) -> None:
    response = Client().get(world.fill("api/v1/matches/<int:match_id>/"), headers=ORIGIN)
    exposed = named(response["access-control-expose-headers"])
    assert exposed >= {"etag", "ratelimit", "ratelimit-policy", "retry-after", "preference-applied", "www-authenticate"}
    assert {"etag", "ratelimit", "ratelimit-policy"} <= {name.lower() for name in response.headers}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/v1/matches/?color=red", "", 400),
        ("GET", "/api/v1/players/me/", "", 401),
        ("GET", "/api/v1/matches/999/", "", 404),
        ("GET", "/api/v1/nothing/", "", 404),
        ("POST", "/api/v1/seeks", "{}", 404),
        ("DELETE", "/api/v1/guests/", "", 405),
        ("POST", "/api/v1/guests/", " " * 1_000_001, 413),
        ("POST", "/api/v1/players/", "<xml/>", 415),
        ("GET", "/api/v1/matches/%00/", "", 400),
        ("GET", "/api/v1/games", "", 301),
    ],
)
def test_refusals_may_be_read_elsewhere_too(method: str, path: str, body: str, status: int) -> None:
    kind = "text/xml" if body.startswith("<") else "application/json"
    response = Client().generic(method, path, body, content_type=kind, headers=ORIGIN)
    assert (response.status_code, response[ALLOWED]) == (status, "*")


def test_a_refusal_for_asking_too_often_may_be_read_elsewhere(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    monkeypatch.setitem(rates, "read", "1/min")
    first, second = (Client().get("/api/v1/games/", headers=ORIGIN) for _ in range(2))
    assert (first.status_code, second.status_code, second[ALLOWED]) == (200, 429, "*")
    assert "Retry-After" in second


def test_a_failure_may_be_read_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**query: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("players.api.views.find_any_player", fail)
    response = Client(raise_request_exception=False).get("/api/v1/players/anna/", headers=ORIGIN)
    assert (response.status_code, response[ALLOWED]) == (500, "*")
    streams = Client().get("/api/v1/stream/?match=1", headers=ORIGIN | {"Accept": "text/event-stream"})
    assert streams[ALLOWED] == "*"


def test_pages_the_admin_and_what_machines_ask_for_are_for_no_other_origin(world: World) -> None:
    for method, route in [row for row in TABLE if row not in API_ROWS]:
        response = ask(Client(headers=ORIGIN), world, method, route)
        assert [name for name in response.headers if name.lower().startswith("access-control")] == [], route
    for path in ("/health/live", "/health/ready", "/metrics", "/static/css/base.css", "/api/v1/docs/"):
        for response in (Client().get(path, headers=ORIGIN), Client().options(path, headers=PREFLIGHT)):
            assert ALLOWED not in response, path


def test_a_session_reads_nothing_for_another_origin(world: World) -> None:
    for method, route in API_READS:
        role = whoever_may(method, route)
        visited, elsewhere = (
            ask(client, world, method, route) for client in (Client(), client_of(role, headers=ORIGIN))
        )
        assert (route, elsewhere.status_code) == (route, visited.status_code)
        assert b"".join(elsewhere) == b"".join(visited), route


def test_a_session_writes_nothing_for_another_origin(world: World) -> None:
    for method, route in API_WRITES:
        response = ask(client_of(whoever_may(method, route), headers=ORIGIN), world, method, route)
        assert (method, route, response.status_code) == (method, route, 401)


def test_a_token_works_from_another_origin(world: World) -> None:
    anna = world.match.yellow
    _token, secret = create_token(player=anna, name="page", scopes=Scope.values, now=timezone.now())
    client = client_of("piotr", headers=ORIGIN | {"Authorization": f"Bearer {secret}"})
    assert client.get("/api/v1/players/me/").json()["username"] == "anna"
    assert ask(client, world, "POST", "api/v1/seeks/").status_code == 201


@pytest.mark.parametrize(
    ("origin", "is_own"),
    [
        ("http://testserver", True),
        ("https://play.example.org:8443", True),
        ("https://a.club.example", True),
        ("https://testserver", False),
        ("http://testserver:8000", False),
        ("null", False),
        ("https://club.example.evil.example", False),
        ("http://[", False),
    ],
)
def test_a_session_works_for_the_sites_own_origins(world: World, settings: Any, origin: str, is_own: bool) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example.org:8443", "https://*.club.example"]
    client = client_of("anna", headers={"Origin": origin})
    assert client.get("/api/v1/players/me/").status_code == (200 if is_own else 401)
    assert Player.objects.filter(username="anna").exists()
