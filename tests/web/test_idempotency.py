"""Every write that takes an ``Idempotency-Key``, sent twice."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import get_resolver

from players.models import Player
from tests.permissions.test_permissions import all_routes, client_of, whoever_may
from tests.permissions.world import World, make_world
from tournaments.models import Competition
from web.api.idempotency.decorator import idempotent
from web.models import IdempotentResponse

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

OF_COMPETITION = "<slug:slug>"


def place_of(function: Any) -> tuple[str, int]:
    """Return where a function is written. What measures lines gives functions of one place different code."""
    code = getattr(function, "__code__", None)
    return ("", 0) if code is None else (code.co_filename, code.co_firstlineno)


def idempotent_writes() -> Iterator[tuple[str, str]]:
    """Yield the method and the url of each handler that was made idempotent."""
    place = place_of(idempotent(lambda: None))
    for route, view in all_routes(get_resolver()):
        for method in ("post", "put", "patch", "delete"):
            handler = getattr(getattr(view, "cls", None), method, None)
            if handler is not None and place_of(handler) == place:
                yield method, route


def send_twice(client: Client, world: World, method: str, route: str, slug: str) -> list[tuple[Any, ...]]:
    """Send the same request with the same key twice, and undo what it did."""
    cache.clear()
    send, url, body = getattr(client, method), world.fill(route.replace(OF_COMPETITION, slug)), world.body(route)
    with transaction.atomic():
        answers = [send(url, body, "application/json", headers={"Idempotency-Key": "once"}) for _ in range(2)]
        assert IdempotentResponse.objects.count() == (answers[0].status_code < 400)
        transaction.set_rollback(True)
    return [(answer.status_code, answer.content, answer.get("Retry-After")) for answer in answers]


def test_a_write_sent_again_with_its_key_is_answered_the_same() -> None:
    world = make_world()
    writes = list(idempotent_writes())
    assert {("post", "api/v1/seeks/"), ("put", "api/v1/competitions/<slug:slug>/rounds/<int:number>/date/")} < {*writes}
    for method, route in writes:
        best = whoever_may(method.upper(), route)
        slugs = [world.cup.slug, world.ladder.slug] if OF_COMPETITION in route else [""]
        sent = [(slug, best) for slug in slugs]
        # Errors of the database end a transaction on PostgreSQL: there each write is sent by who may do the most.
        if connection.vendor == "sqlite":
            sent.append((slugs[0], "carla"))
        for slug, role in sent:
            first, again = send_twice(client_of(role), world, method, route, slug)
            assert (route, again) == (route, first)


def test_nothing_is_answered_again_to_who_has_left_without_a_trace() -> None:
    world = make_world()
    leave = f"api/v1/competitions/{OF_COMPETITION}/leave/"
    first, again = send_twice(client_of("piotr"), world, "post", leave, world.ladder.slug)
    assert first == again == (204, b"", None)


@pytest.mark.parametrize(
    "change",
    [
        {"content_type": "APPLICATION/JSON"},
        {"content_type": "application/json; charset=utf-8"},
        {"content_type": "Application/JSON;Charset=UTF-8"},
        {"data": '{  "colour":\n"yellow", "game": "streetsoccer-board" }'},
        {"headers": {"idempotency-key": "once"}},
        {"headers": {"IDEMPOTENCY-KEY": " once\t"}},
        {"headers": {"Accept": "APPLICATION/JSON", "Idempotency-Key": "once"}},
        {"headers": {"Accept-Language": "de", "Idempotency-Key": "once", "User-Agent": "another"}},
    ],
)
def test_a_request_that_differs_in_nothing_that_matters_is_the_same(change: dict[str, Any]) -> None:
    client = Client()
    client.force_login(Player.objects.create(username="anna"))
    request: dict[str, Any] = {
        "data": '{"game": "streetsoccer-board", "colour": "yellow"}',
        "content_type": "application/json",
        "headers": {"Idempotency-Key": "once"},
    }
    first, again = (client.post("/api/v1/seeks/", **each) for each in (request, {**request, **change}))
    assert first.status_code == 201
    assert (again.status_code, again.content) == (201, first.content)


def test_keys_are_compared_letter_by_letter() -> None:
    client = Client()
    client.force_login(Player.objects.create(username="anna"))
    wish = {"game": "streetsoccer-board", "colour": "yellow"}
    ids = {
        client.post("/api/v1/seeks/", wish, "application/json", headers={"Idempotency-Key": key}).json()["id"]
        for key in ("once", "ONCE")
    }
    assert len(ids) == 2


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "once"}])
def test_a_write_whose_answer_cannot_be_written_has_changed_nothing(
    headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world()
    client = client_of("olga")
    client.raise_request_exception = False
    # Such as a moment outside the calendar, which is found out only when it is written.
    monkeypatch.setattr(
        "tournaments.making.api.competitions.competition_detail_to_json", lambda *_given: {"at": object()}
    )
    url = world.fill("api/v1/competitions/<slug:slug>/")
    answer = client.patch(url, {"name": "Another"}, "application/json", headers=headers)
    assert (answer.status_code, Competition.objects.filter(name="Another").exists()) == (500, False)
