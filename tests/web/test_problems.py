"""Refusals over HTTP: one table, and problem details for all of them."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from django.core.exceptions import TooManyFieldsSent
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from web.errors import DomainError, InvalidDetails, TooManyAttempts
from web.problems import STATUS_OF_CODE

ROOT = Path(__file__).parent.parent.parent
PROBLEM = "application/problem+json"


def all_refusals(base=DomainError):
    for refusal in base.__subclasses__():
        yield refusal
        yield from all_refusals(refusal)


def test_every_refusal_has_a_status_and_no_status_is_for_nothing():
    for path in ROOT.glob("[a-z]*/**/errors.py"):
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    codes = {refusal.code for refusal in all_refusals() if refusal.__module__.endswith(".errors")}
    assert codes == set(STATUS_OF_CODE)


def answer(error, method="get"):
    """Return the response of a view that raises the error."""

    class Raising(APIView):
        authentication_classes = ()
        permission_classes = ()
        throttle_classes = ()

        def get(self, request):
            raise error

    return Raising.as_view()(getattr(APIRequestFactory(), method)("/"))


def test_a_refusal_is_a_problem_with_its_code_and_its_fields():
    response = answer(InvalidDetails({"name": ["Too long."]}))
    response.render()
    assert (response.status_code, response["Content-Type"]) == (400, PROBLEM)
    assert json.loads(response.content) == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "Too long.",
        "code": "invalid",
        "errors": {"name": ["Too long."]},
    }


def test_a_broken_rule_is_named_with_its_preset():
    from matches.errors import RefusedMove
    from rules_engine.errors import IllegalMove

    response = answer(RefusedMove(IllegalMove("S12", "kick_onto_own", space="e7"), preset="board"))
    assert response.data == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "the ball would stop on your own player on e7",
        "code": "illegal_move",
        "rule": "S12",
        "preset": "board",
        "reason": "kick_onto_own",
        "parameters": {"space": "e7"},
    }


def test_a_client_that_must_wait_is_told_how_long():
    response = answer(TooManyAttempts("Too many.", wait=90))
    assert (response.status_code, response["Retry-After"]) == (429, "90")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "kind", "body", "status", "code"),
    [
        ("get", "/api/v1/nothing/", None, "", 404, "not_found"),
        ("get", "/api/", None, "", 404, "not_found"),
        ("delete", "/api/v1/guests/", None, "", 405, "method_not_allowed"),
        ("post", "/api/v1/docs/", None, "", 405, "method_not_allowed"),
        ("post", "/api/v1/players/", "application/json", " " * 1_000_001, 413, "too_large"),
        ("post", "/api/v1/players/", "text/csv", "a,b", 415, "unsupported_media_type"),
        ("post", "/api/v1/players/", "application/x-www-form-urlencoded", "a=b", 415, "unsupported_media_type"),
        ("get", "/api/v1/players/anna/?format=xml", None, "", 400, "invalid"),
        ("get", "/api/v1/matches/?player=%00", None, "", 400, "bad_request"),
        ("get", "/api/v1/matches/%00/", None, "", 400, "bad_request"),
    ],
)
def test_nothing_under_the_api_answers_with_a_page(client, method, path, kind, body, status, code):
    more = {"content_type": kind} if kind else {}
    response = client.generic(method.upper(), path, body, **more)
    problem = json.loads(response.content)
    assert (response.status_code, response["Content-Type"], problem["code"]) == (status, PROBLEM, code)
    assert set(problem) >= {"type", "title", "status", "detail", "code"}
    assert problem["detail"]


@pytest.mark.django_db
def test_an_address_that_cannot_be_accepted_is_refused(client):
    response = client.get("/api/v1/players/anna/", HTTP_ACCEPT="text/html")
    assert (response.status_code, response.json()["code"]) == (406, "not_acceptable")


@pytest.mark.django_db
@pytest.mark.parametrize(("error", "status"), [(RuntimeError("secret"), 500), (TooManyFieldsSent(), 400)])
@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_of_ours_is_a_problem_that_betrays_nothing(client, settings, monkeypatch, error, status, debug):
    def fail(*args, **kwargs):
        raise error

    settings.DEBUG = debug
    monkeypatch.setattr("players.api.views.find_any_player", fail)
    client.raise_request_exception = False
    response = client.get("/api/v1/players/anna/")
    assert (response.status_code, response["Content-Type"]) == (status, PROBLEM)
    assert b"secret" not in response.content


@pytest.mark.django_db
def test_reading_without_the_last_slash_is_forgiven(client):
    response = client.get("/api/v1/games")
    assert (response.status_code, response["Location"]) == (301, "/api/v1/games/")


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_writing_without_the_last_slash_is_told_the_url_with_it(client, method):
    response = getattr(client, method)("/api/v1/seeks?limit=5", {}, content_type="application/json")
    assert (response.status_code, response["Content-Type"]) == (404, PROBLEM)
    assert json.loads(response.content) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is nothing at this URL. Did you mean /api/v1/seeks/, with a slash at the end?",
        "code": "not_found",
    }


@pytest.mark.django_db
def test_a_write_to_nowhere_is_not_told_of_a_slash(client):
    response = client.post("/api/v1/nothing", {}, content_type="application/json")
    assert (response.status_code, "slash" in response.json()["detail"]) == (404, False)


@pytest.mark.django_db
def test_a_refusal_is_a_page_for_people_and_a_problem_for_scripts(client):
    page = client.post("/seeks/99/take/")
    assert (page.status_code, page["Content-Type"]) == (404, "text/html; charset=utf-8")
    problem = client.post("/seeks/99/take/", HTTP_ACCEPT="application/json")
    assert (problem.status_code, problem["Content-Type"], problem.json()["code"]) == (404, PROBLEM, "not_found")


@pytest.mark.django_db
def test_a_page_refuses_null_characters_too(client):
    assert client.get("/players/%00/").status_code == 400
    assert client.get("/?next=%00").status_code == 400
