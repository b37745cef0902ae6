"""Members and parameters that no operation is described to take are refused, with the name that was meant."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from matches.models import Match, Seek
from tests.permissions.test_permissions import TABLE, client_of, whoever_may, world
from tests.permissions.world import World
from tests.web.answers.description import operations as described_operations
from tests.web.answers.description import path_of, resolve

__all__ = ["world"]

pytestmark = pytest.mark.django_db

STRANGE = "no_such_name"
ROUTES = {path_of(route): route for _method, route in TABLE}


class Operation(NamedTuple):
    """One operation of the API's description."""

    method: str
    route: str
    parameters: dict[str, dict[str, Any]]
    body: dict[str, Any]

    @property
    def members(self) -> frozenset[str]:
        """Return the members of its body, or of all objects that this may be."""
        schema = resolve(self.body)
        return frozenset().union(*(resolve(part).get("properties", ()) for part in schema.get("oneOf", [schema])))


def operations() -> Iterator[Operation]:
    for method, path, described in described_operations().values():
        named = {each["name"]: each["schema"] for each in described.get("parameters", []) if each["in"] == "query"}
        body = described.get("requestBody", {}).get("content", {}).get("application/json", {})
        yield Operation(method.upper(), ROUTES[path], named, body.get("schema", {}))


OPERATIONS = list(operations())


def choices_of(schema: dict[str, Any]) -> list[str]:
    """Return the texts that a value may be, none where it may be others."""
    found = resolve(schema["allOf"][0] if "allOf" in schema else schema).get("enum", [])
    return [each for each in found if each]


def client_for(operation: Operation) -> Client:
    """Return a client of somebody who may ask for this."""
    row = TABLE[operation.method, operation.route]
    return client_of("visitor" if row[0] < 400 else whoever_may(operation.method, operation.route))


def ask(world: World, operation: Operation, query: dict[str, Any], body: dict[str, Any] | None = None) -> Any:
    """Send a request that says no more than this, and undo what it did."""
    cache.clear()
    url = world.fill(operation.route).partition("?")[0] + (f"?{urlencode(query, doseq=True)}" if query else "")
    client = client_for(operation)
    with transaction.atomic():
        if operation.method == "GET":
            response = client.get(url)
        else:
            send = getattr(client, operation.method.lower())
            response = send(url, body or {}, content_type="application/json")
        transaction.set_rollback(True)
    return response


def misspell(name: str) -> str:
    return f"{name}s"


def by_few(names: Iterable[str]) -> list[list[str]]:
    """Return the names in parts as large as an answer complains of at once."""
    ordered = sorted(names)
    return [ordered[start : start + 5] for start in range(0, len(ordered), 5)]


def test_every_operation_is_known():
    assert len(OPERATIONS) > 70


def test_the_description_says_that_bodies_have_no_other_members():
    bodies = [resolve(operation.body) for operation in OPERATIONS if operation.body]
    objects = [resolve(part) for body in bodies for part in body.get("oneOf", [body])]
    assert len(objects) > 20
    assert [each for each in objects if each.get("properties") and each.get("additionalProperties") is not False] == []


def test_no_operation_takes_a_parameter_that_it_does_not_have(world: World):
    for operation in OPERATIONS:
        response = ask(world, operation, {STRANGE: "1"}, world.body(operation.route))
        assert (operation, response.status_code) == (operation, 400), response.content
        assert response["Content-Type"] == "application/problem+json"
        assert set(response.json()["errors"]) == {STRANGE}, operation


def test_no_operation_takes_a_member_that_it_does_not_have(world: World):
    for operation in OPERATIONS:
        if operation.method == "GET":
            continue
        body = {name: value for name, value in world.body(operation.route).items() if name in operation.members}
        response = ask(world, operation, {}, body | {STRANGE: 1})
        assert (operation, response.status_code) == (operation, 400), response.content
        assert set(response.json()["errors"]) == {STRANGE}, operation


def test_no_parameter_may_be_empty_where_the_description_says_so(world: World):
    for operation in OPERATIONS:
        for name, schema in operation.parameters.items():
            if schema.get("minLength"):
                errors = ask(world, operation, {name: ""}).json()["errors"]
                assert errors == {name: [f"Give “{name}” a value, or leave it out."]}


def test_a_wrong_choice_is_told_what_can_be_chosen(world: World):
    asked = set()
    for operation in OPERATIONS:
        members = {} if operation.method == "GET" else resolve(operation.body).get("properties", {})
        choices = {name: choices_of(schema) for name, schema in (operation.parameters | members).items()}
        wrong = {name: "wrong" for name, found in choices.items() if found}
        if not wrong:
            continue
        body = {name: value for name, value in world.body(operation.route).items() if name in members}
        query = {name: value for name, value in wrong.items() if name in operation.parameters}
        response = ask(world, operation, query, body | {name: wrong[name] for name in wrong if name in members})
        if response.status_code != 400:
            continue  # what it is about is not there, or not in that state
        for name in wrong:
            assert all(choice in response.json()["errors"][name][0] for choice in choices[name]), (operation, name)
            asked.add(name)
    assert {"status", "game", "colour", "level", "rhythm", "role"} <= asked


def test_each_parameter_is_suggested_to_a_client_that_misspells_it(world: World):
    for operation in OPERATIONS:
        for names in by_few(operation.parameters):
            errors = ask(world, operation, {misspell(name): "1" for name in names}).json()["errors"]
            assert errors == {
                misspell(name): [f"There is no parameter “{misspell(name)}”. Did you mean “{name}”?"] for name in names
            }


def test_each_member_is_suggested_to_a_client_that_misspells_it(world: World):
    asked = 0
    for operation in OPERATIONS:
        # A turn's `texts` is a move's `text` in the plural.
        for names in by_few(name for name in operation.members if misspell(name) not in operation.members):
            errors = ask(world, operation, {}, dict.fromkeys(map(misspell, names), 1)).json()["errors"]
            assert errors == {
                misspell(name): [f"There is no member “{misspell(name)}”. Did you mean “{name}”?"] for name in names
            }
            asked += len(names)
    assert asked > 40


@pytest.fixture
def anna(world: World) -> Client:
    return client_of("anna")


def send(client: Client, path: str, body: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def test_a_seek_with_two_wrong_names_is_not_opened(anna: Client):
    before = Seek.objects.count()
    response = send(anna, "seeks/", {"game": "streetsoccer-board", "color": "red", "rated": True})
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert response.json()["detail"] == "There is no member “color”. Did you mean “colour”?"
    assert response.json()["errors"] == {
        "color": ["There is no member “color”. Did you mean “colour”?"],
        "rated": ["There is no member “rated”. Did you mean “is_rated”?"],
    }
    assert Seek.objects.count() == before


def test_members_within_members_are_known_too(anna: Client):
    body = {"game": "streetsoccer-board", "time_control": {"bank": 60, "incremnt": 5}}
    response = send(anna, "seeks/", body)
    assert response.status_code == 400
    assert response.json()["errors"] == {
        "time_control": {"incremnt": ["There is no member “incremnt”. Did you mean “increment”?"]}
    }


def test_a_name_that_is_like_none_is_answered_with_those_there_are(client: Client):
    errors = client.get("/api/v1/matches/?competition=5").json()["errors"]
    assert errors == {
        "competition": [
            "There is no parameter “competition”. You can use: cursor, game, ids, limit, order, player, status, turn."
        ]
    }


def test_a_url_or_an_operation_that_takes_nothing_says_so(anna: Client):
    errors = anna.get("/api/v1/games/?game=paper-soccer-1").json()["errors"]
    assert errors == {"game": ["There is no parameter “game”: this URL takes none."]}
    seek = Seek.objects.get(by_link=False).pk
    errors = send(anna, f"seeks/{seek}/withdraw/", {"reason": "late"}).json()["errors"]
    assert errors == {"reason": ["There is no member “reason”: this operation takes none."]}
    response = send(anna, f"seeks/{seek}/withdraw/", ["late"])
    assert (response.status_code, response.json()["detail"]) == (400, "This operation takes no body.")
    assert Seek.objects.get(pk=seek).status == "open"


def test_a_move_is_a_text_or_several_and_never_both(anna: Client):
    match = Match.objects.get(yellow__username="anna")
    response = send(anna, f"matches/{match.pk}/moves/", {"ply": match.ply, "text": "x", "texts": ["x"]})
    assert (response.status_code, len(response.json()["errors"])) == (400, 1)
    assert response.json()["detail"].endswith("cannot be sent together with the other members.")


def test_a_parameter_is_given_once(client: Client):
    response = client.get("/api/v1/matches/?status=playing&status=finished")
    assert (response.status_code, response.json()["errors"]) == (400, {"status": ["Give “status” only once."]})


def test_of_very_many_unknown_names_few_are_named(client: Client):
    body = {f"name{number}" * 20: 1 for number in range(1000)}
    errors = send(client, "guests/", body).json()["errors"]
    assert len(errors) == 5
    assert max(map(len, errors)) == 40


@pytest.mark.parametrize("limit", ["0", "-1", "101", "ten", "1.5", "9" * 50, "٣"])
def test_a_limit_out_of_range_is_refused(client: Client, limit: str):
    for path in ("matches/", "seeks/", "ratings/", "competitions/"):
        response = client.get(f"/api/v1/{path}", {"limit": limit})
        assert response.status_code == 400
        assert response.json()["errors"] == {"limit": ["The limit must be a whole number from 1 to 100."]}


@pytest.mark.parametrize("limit", ["1", "100"])
def test_a_limit_within_its_range_is_taken(client: Client, limit: str):
    assert client.get("/api/v1/matches/", {"limit": limit}).status_code == 200


@pytest.mark.parametrize(
    "cursor", ["x", "%%%", "cD1hbm5h", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "bz1hYmM=", "cD0lMDA=", "é"]
)
def test_a_cursor_that_is_none_of_ours_is_refused(client: Client, cursor: str):
    for path in ("matches/", "ratings/"):
        response = client.get(f"/api/v1/{path}", {"cursor": cursor})
        assert (response.status_code, set(response.json()["errors"])) == (400, {"cursor"})


def test_the_description_has_two_formats_and_no_other_parameter(client: Client):
    assert client.get("/api/v1/schema/?format=json").status_code == 200
    assert client.get("/api/v1/schema/?format=xml").status_code == 400
    assert client.get("/api/v1/schema/?lang=de").status_code == 400
