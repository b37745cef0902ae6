"""Every operation answers as the API's description says, to the last member."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from jsonschema import Draft202012Validator

from tests.permissions.world import SOON, World, make_world
from tests.web.answers.description import complaints, operations, read_description
from tests.web.answers.requests import REQUESTS, STREAMS, Prepare, Request, player

CASES = [(operation, prepare) for operation, cases in REQUESTS.items() for prepare in cases]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Yield one for all requests, each of which is undone."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


def test_every_operation_is_asked() -> None:
    assert set(REQUESTS) | STREAMS == set(operations())


@pytest.mark.django_db
@pytest.mark.parametrize(("operation", "prepare"), CASES, ids=[f"{name}-{at}" for at, (name, _) in enumerate(CASES)])
def test_an_operation_answers_as_it_is_described(operation: str, prepare: Prepare, world: World) -> None:
    method, path, described = operations()[operation]
    cache.clear()
    with transaction.atomic():
        request = prepare(world)
        response = send(method, path, request, world)
        transaction.set_rollback(True)
    assert response.status_code == request.status, response.content
    answer = described["responses"][str(request.status)]
    assert [name for name in answer["headers"] if name not in response and name != "Preference-Applied"] == []
    kinds = answer.get("content", {})
    if not kinds:
        assert response.content == b""
        return
    kind = response["Content-Type"].partition(";")[0]
    value = json.loads(read(response)) if kind == "application/json" else read(response).decode()
    assert complaints(kinds[kind]["schema"], value) == []


@pytest.mark.django_db
def test_a_refusal_is_described_to_the_last_member(world: World) -> None:
    client = Client()
    client.force_login(player("piotr"))
    move = {"ply": world.match.ply, "text": world.move}
    for refused in (
        client.get("/api/v1/matches/0/"),
        client.get("/api/v1/nothing/"),
        client.post(f"/api/v1/matches/{world.match.pk}/moves/", move, content_type="application/json"),
        client.post("/api/v1/seeks/", {"colour": 1, "x": 2}, content_type="application/json"),
        client.post("/api/v1/seeks/", b"{", content_type="application/json"),
    ):
        assert refused.status_code >= 400
        assert complaints({"$ref": "#/components/schemas/Problem"}, refused.json()) == []


def test_the_judge_complains_of_what_is_missing_too_much_or_wrong() -> None:
    step = {"$ref": "#/components/schemas/Step"}
    assert complaints(step, {"text": "c3", "space": "c3", "final": True, "label": None}) == []
    for wrong in (
        {"text": "c3", "space": "c3", "label": None},
        {"text": "c3", "space": "c3", "final": True, "label": None, "more": 1},
        {"text": "c3", "space": None, "final": True, "label": None},
    ):
        assert complaints(step, wrong) != []


def test_every_component_is_a_schema_of_2020_12() -> None:
    schemas = read_description()["components"]["schemas"]
    judge = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert {name: error.message for name, schema in schemas.items() for error in judge.iter_errors(schema)} == {}


def send(method: str, path: str, request: Request, world: World) -> Any:
    client = Client()
    if request.player:
        client.force_login(player(request.player))
    cup = world.cup
    values = {
        "match_id": world.match.pk,
        "seek_id": world.seek.pk,
        "token_id": world.token.pk,
        "slug": cup.slug,
        "entry_id": cup.entries.order_by("pk")[0].pk,
        "fixture_id": cup.fixtures.get().pk,
        "announcement_id": world.announcement.pk,
        "invitation_id": cup.invitations.get().pk,
        "waiting_id": cup.waiting_players.get().pk,
        "note_id": world.notes[world.cup.pk].pk,
        "number": 1,
        "day": SOON,
    }
    url = path.format(**values | request.path)
    if method == "get":
        return client.get(url, request.query, headers=request.headers)
    return getattr(client, method)(url, request.body or {}, content_type="application/json", headers=request.headers)


def read(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content
