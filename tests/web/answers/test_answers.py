"""Every operation answers as the API's description says, to the last member."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from jsonschema import Draft202012Validator

from tests.permissions.rows import ROLES
from tests.permissions.test_permissions import TABLE, ask, client_of, whoever_may, world
from tests.permissions.world import World
from tests.web.answers.description import complaints, operations, path_of, read_description
from tests.web.answers.requests import REQUESTS, Request, path_to

__all__ = ["world"]

pytestmark = pytest.mark.django_db

STREAMS = {"follow_match", "follow_player", "follow_competition"}
"""These answer with streams, which tests/streams/test_schemas.py judges."""

BY_PATH = {(method.upper(), path): name for name, (method, path, _described) in operations().items()}
ROWS = [
    (BY_PATH[method, path_of(route)], method, route, role)
    for (method, route), statuses in TABLE.items()
    if (method, path_of(route)) in BY_PATH
    for role in ("visitor", whoever_may(method, route))
    if statuses[ROLES.index(role)] < 300
]
CASES = [(operation, request) for operation, requests in REQUESTS.items() for request in requests]


def test_every_operation_is_asked() -> None:
    assert {operation for operation, *_ in ROWS} | set(REQUESTS) | STREAMS == set(operations())


@pytest.mark.parametrize(("operation", "method", "route", "role"), ROWS)
def test_who_may_is_answered_as_it_is_described(
    operation: str, method: str, route: str, role: str, world: World
) -> None:
    judge(operation, ask(client_of(role), world, method, route))


@pytest.mark.parametrize(("operation", "request_"), CASES, ids=[f"{name}-{at}" for at, (name, _) in enumerate(CASES)])
def test_an_operation_answers_as_it_is_described(operation: str, request_: Request, world: World) -> None:
    method, path, _described = operations()[operation]
    cache.clear()
    with transaction.atomic():
        response = send(method, path, request_, world)
        transaction.set_rollback(True)
    assert response.status_code == request_.status, response.content
    judge(operation, response)


def judge(operation: str, response: Any) -> None:
    """Compare an answer with what the description says of its status, to the last member."""
    answer = operations()[operation][2]["responses"][str(response.status_code)]
    assert [name for name in answer["headers"] if name not in response and name != "Preference-Applied"] == []
    kinds = answer.get("content", {})
    if not kinds:
        assert response.content == b""
        return
    kind = response["Content-Type"].partition(";")[0]
    content = b"".join(response)
    value = json.loads(content) if kind == "application/json" else content.decode()
    assert complaints(kinds[kind]["schema"], value) == []


def test_a_refusal_is_described_to_the_last_member(world: World) -> None:
    client = client_of("piotr")
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
    subject = request.given(world)
    client = client_of(request.player or "visitor")
    body = request.body(subject) if callable(request.body) else request.body
    url = path.format(**world.ids(world.cup) | path_to(subject) | request.path)
    if method == "get":
        return client.get(url, request.query, headers=request.headers)
    return getattr(client, method)(url, body, content_type="application/json", headers=request.headers)
