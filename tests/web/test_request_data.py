"""API requests are read as JSON objects in UTF-8, and answered in the form that they ask for."""

import pytest
from django.test import Client

GAMES = "/api/v1/games/"
PROBLEM = "application/problem+json"


@pytest.mark.django_db
@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "text/html, */*;q=0.1"])
def test_a_client_that_takes_json_or_anything_gets_json(client: Client, accept: str | None):
    response = client.get(GAMES, headers={} if accept is None else {"Accept": accept})
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


@pytest.mark.django_db
def test_a_format_that_a_record_does_not_have_is_refused_even_if_anything_is_accepted(client: Client):
    response = client.get("/api/v1/matches/1/record/?format=xml", headers={"Accept": "*/*"})
    assert (response.status_code, response.json()["errors"]) == (400, {"format": ["Choose one of: json, txt."]})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"null", "No data provided"),
        (b"[]", "Invalid data. Expected a dictionary, but got list."),
        (b'{"game": "\\ud800"}', "The JSON has half of a surrogate pair."),
        (b'{"game": NaN}', "The JSON has NaN, which is not a number."),
        (b'{"game": 1e999}', "The JSON has a number that is too large: 1e999."),
        (b'{"game": ' + b"9" * 5000 + b"}", "The JSON has a number of more than 40 characters."),
        (b'{"game": 1, "game": 2}', "The JSON has an object with the key 'game' twice."),
        (b'{"game": }', "This is not valid JSON: see line 1, column 10."),
        (b'{"game": "\xff"}', "The body is not valid UTF-8 from byte 10."),
        (b"[" * 100_000, "The JSON is nested too deeply."),
    ],
)
def test_a_body_that_is_no_object_is_refused_with_a_sentence(client: Client, body: bytes, sentence: str):
    response = client.post("/api/v1/replays/", body, content_type="application/json")
    problem = response.json()
    assert (response.status_code, response["Content-Type"], problem["detail"]) == (400, PROBLEM, sentence)
    assert problem["code"] == ("invalid" if body in {b"null", b"[]"} else "parse_error")


@pytest.mark.django_db
def test_a_shape_reads_each_request_by_itself(client: Client):
    def refused(body: dict[str, str]) -> set[str]:
        return set(client.post("/api/v1/players/", body, content_type="application/json").json()["errors"])

    assert refused({"username": "anna"}) == {"password"}
    assert refused({"password": "correct horse 7"}) == {"username"}
    assert refused({}) == {"username", "password"}


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["base64", "rot13", "utf-16", "latin-1", "nonsense", "idna", "undefined"])
def test_json_is_utf_8_whatever_character_set_is_announced(client: Client, charset: str):
    body = '{"game": "paper-soccer-1", "text": "[Yellow \\"Zoë\\"]"}'.encode()
    response = client.generic("POST", "/api/v1/replays/", body, f"application/json; charset={charset}")
    assert (response.status_code, response.json()["record"]["tags"]["Yellow"]) == (200, "Zoë")
