"""Every operation answers as the API's description says, to the last member."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from jsonschema import Draft202012Validator
from rest_framework.renderers import JSONRenderer

from tests.permissions.rows import ROLES
from tests.permissions.test_permissions import TABLE, ask, client_of, whoever_may, world
from tests.permissions.world import World
from tests.web.answers.description import complaints, operations, path_of, read_description
from tests.web.answers.requests import REQUESTS, Request, path_to
from tournaments.desk.acts import ACTS

__all__ = ["world"]

pytestmark = pytest.mark.django_db

ANSWERED_AGAIN = {"play_move", *(act.bulk.operation for act in ACTS if act.bulk)}
"""Writes that answer the same when they are sent again, or put their answer together of those of their steps."""

NOTED = {"acted_at", "last_login", "last_used_at"}

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
    client.raise_request_exception = False
    body = request.body(subject) if callable(request.body) else request.body
    url = path.format(**world.ids(world.cup) | path_to(subject) | request.path)
    if method == "get":
        return client.get(url, request.query, headers=request.headers)
    return getattr(client, method)(url, body, content_type="application/json", headers=request.headers)


def writes() -> Iterator[Any]:
    """Yield every write whose answer has a body: the operation, and how it is asked; at night those that are acts."""
    acts = {act.operation for act in ACTS}
    asked: set[str] = set()
    for operation, request in CASES:
        method, path, _described = operations()[operation]
        asked.add(operation)
        yield operation, request.status, partial(prepare, method, path, request), operation in acts
    for operation, method, route, role in ROWS:
        if operation not in asked:
            status = TABLE[method, route][ROLES.index(role)]
            yield operation, status, partial(prepare_as, role, method, route), operation in acts


def prepare(method: str, path: str, request: Request, world: World) -> Callable[[], Any]:
    subject = request.given(world)
    return partial(send, method, path, replace(request, given=lambda _world: subject), world)


def prepare_as(role: str, method: str, route: str, world: World) -> Callable[[], Any]:
    client = client_of(role)
    client.raise_request_exception = False
    return partial(ask, client, world, method, route)


WRITES = [
    pytest.param(preparing, marks=[pytest.mark.nightly] if is_act else [], id=f"{operation}-{number}")
    for number, (operation, status, preparing, is_act) in enumerate(writes())
    if operations()[operation][0] != "get"
    and status < 300
    and operations()[operation][2]["responses"][str(status)].get("content")
    and operation not in ANSWERED_AGAIN
]


@pytest.mark.parametrize("preparing", WRITES)
def test_a_write_whose_answer_cannot_be_written_changes_nothing(
    preparing: Callable[[World], Callable[[], Any]], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a value that JSON does not have, which is found out only when the answer is written."""
    cache.clear()
    with transaction.atomic():
        send_it = preparing(world)
        before = stored()
        monkeypatch.setattr(JSONRenderer, "render", fail)
        response = send_it()
        after = stored()
        transaction.set_rollback(True)
    assert (response.status_code, [table for table in before if before[table] != after[table]]) == (500, [])


def fail(*_given: Any) -> None:
    raise ValueError("Out of range.")


def stored() -> dict[str, list[Any]]:
    """Return the rows of all tables but for what is noted of every request."""
    models = [model for model in apps.get_models() if model is not Session]
    return {
        model._meta.label: list(
            model._base_manager.order_by("pk").values_list(
                *(each.attname for each in model._meta.concrete_fields if each.name not in NOTED)
            )
        )
        for model in models
    }
