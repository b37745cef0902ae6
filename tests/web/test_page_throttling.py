"""The rates at which pages are answered: by player or client IP, as those of the API, static files and health aside."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver
from rest_framework.test import APIClient

from players.models import Player
from tests.web.test_bodies import all_routes
from web.limits import budgets
from web.limits.request_counts import count_request
from web.limits.table import REQUESTS

pytestmark = pytest.mark.django_db

SEEK = {"game": "streetsoccer-board", "colour": "random", "pace": "slow"}
HERE, ELSEWHERE = "198.51.100.7", "203.0.113.9"


def set_rate(settings: Any, scope: str, rate: str) -> None:
    """Set the rate of a scope for a test."""
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], scope: rate}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}


@pytest.fixture
def few(settings: Any) -> None:
    """Allow three pages, and two forms, a minute."""
    set_rate(settings, "page-read", "3/min")
    set_rate(settings, "page-write", "2/min")


@pytest.fixture
def anna(db: None) -> Player:
    return Player.objects.create(username="anna")


def statuses(client: Client, *paths: str, **options: Any) -> list[int]:
    return [client.get(path, **options).status_code for path in paths]


def test_no_url_is_answered_without_being_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: set[str] = set()

    def note(key: str, **rate: Any) -> Any:
        counted.add(key.partition(":")[0])
        return count_request(key, **rate)

    monkeypatch.setattr(budgets, "count_request", note)
    routes = [*all_routes(get_resolver().url_patterns), "/nothing/", "/api/nothing/", "/api/v1/nothing/"]
    urls = [re.sub(r"<[^>]+>|\(\?P.*", "1", route) for route in routes]
    asked: list[tuple[str, str, dict[str, str]]] = [(method, url, {}) for url in urls for method in ("GET", "POST")]
    asked.append(("GET", "/api/v1/matches/", {"Authorization": "Bearer kick_nobody"}))
    asked.append(("GET", "/api/v1/matches/", {"Accept": "image/png"}))
    uncounted = []
    for method, url, headers in asked:
        counted.clear()
        client.generic(method, url, headers=headers)
        if not counted & REQUESTS.keys():
            uncounted.append((method, url, headers))
    assert len(asked) > 500
    assert uncounted == []


@pytest.mark.usefixtures("few")
def test_what_the_api_does_not_count_is_refused_as_a_page_is_but_with_a_problem(client: Client) -> None:
    assert statuses(client, "/api/v1/docs/", "/api/v1/nothing/", "/api/v1/players/me/") == [200, 404, 401]
    for path in ("/api/v1/docs/", "/api/v1/nothing/", "/api/v1/players/me/"):
        refused = client.get(path)
        assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
        assert refused.json()["code"] == "too_many_attempts"


@pytest.mark.usefixtures("few")
def test_too_many_pages_are_refused_in_plain_words(client: Client) -> None:
    assert statuses(client, "/", "/rules/", "/no/such/page/") == [200, 200, 404]
    refused = client.get("/")
    assert refused.status_code == 429
    wait = int(refused["Retry-After"])
    assert 0 < wait <= 60
    assert f"Wait {wait} second" in refused.content.decode()
    assert 'href="">Try again' in refused.content.decode()
    assert client.get("/", REMOTE_ADDR=ELSEWHERE).status_code == 200


@pytest.mark.usefixtures("few")
def test_a_refused_request_is_not_counted(client: Client, settings: Any) -> None:
    for _ in range(3):
        client.get("/")
    assert statuses(client, *["/"] * 20) == [429] * 20
    set_rate(settings, "page-read", "4/min")
    assert statuses(client, "/", "/") == [200, 429]


@pytest.mark.usefixtures("few")
def test_a_script_is_refused_with_a_problem(client: Client) -> None:
    statuses(client, "/", "/", "/")
    refused = client.get("/", HTTP_ACCEPT="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert refused.json()["code"] == "too_many_attempts"


@pytest.mark.usefixtures("few")
def test_forms_are_counted_apart(client: Client) -> None:
    assert [client.post("/seeks/", {}).status_code for _ in range(3)] == [400, 400, 429]
    assert "Go to the home page" in client.post("/seeks/", {}).content.decode()
    assert client.get("/").status_code == 200


@pytest.mark.usefixtures("few")
def test_players_are_counted_by_themselves_and_visitors_by_client_ip(client: Client, anna: Player) -> None:
    statuses(client, "/", "/", "/", REMOTE_ADDR=HERE)
    member = Client(REMOTE_ADDR=HERE)
    member.force_login(anna)
    assert statuses(member, "/", "/", "/", "/") == [200] * 3 + [429]
    assert statuses(member, "/", REMOTE_ADDR=ELSEWHERE) == [429]
    stranger = Client(REMOTE_ADDR=HERE)
    stranger.cookies["kickabout_session"] = "nonsense"
    assert statuses(stranger, "/") == [429]


@pytest.mark.usefixtures("few")
def test_static_files_health_and_the_api_do_not_count(client: Client) -> None:
    for _ in range(5):
        assert statuses(client, "/static/css/tokens.css", "/health/live", "/api/v1/games/") == [200] * 3
    assert statuses(client, "/", "/", "/", "/") == [200] * 3 + [429]
    assert statuses(client, "/static/css/tokens.css", "/health/live", "/api/v1/games/") == [200] * 3


def test_pages_go_on_without_redis(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere/at/all"
    assert client.get("/rules/").status_code == 200


def test_a_guest_who_is_refused_is_not_counted(settings: Any) -> None:
    settings.MAX_COMPUTER_MATCHES_OF_CLIENT = 1
    set_rate(settings, "page-guests", "2/hour")
    answers = [Client().post("/play/", {"level": "club"}).status_code for _ in range(4)]
    assert answers == [302, 409, 409, 409]
    assert [Client().post("/seeks/", SEEK).status_code for _ in range(2)] == [302, 429]


def test_nobody_floods_the_site_with_guests_and_a_long_wait_is_given_in_minutes(settings: Any) -> None:
    set_rate(settings, "page-guests", "2/hour")
    first, second, refused = (Client().post("/seeks/", SEEK) for _ in range(3))
    assert (first.status_code, second.status_code, refused.status_code) == (302, 302, 429)
    assert "Wait 60 minutes, then try again." in refused.content.decode()
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert Player.objects.filter(is_guest=True).count() == 2


def test_a_request_of_the_api_that_is_refused_is_counted_once(settings: Any) -> None:
    set_rate(settings, "write", "5/min")
    settings.MAX_OPEN_SEEKS = 1
    client = APIClient()
    client.force_login(Player.objects.create(username="piotr"))
    seek = {"game": "streetsoccer-board", "colour": "yellow"}
    answers = [client.post("/api/v1/seeks/", seek) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [201] + [409] * 4 + [429] * 2
    left = [answer["RateLimit"].split(";")[1] for answer in answers]
    assert left == ["r=4", "r=3", "r=2", "r=1", "r=0", "r=0", "r=0"]
