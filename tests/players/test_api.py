"""The players' endpoints over HTTP."""

import base64
from datetime import timedelta

import pytest
from django.utils import timezone

from players.models import ApiToken, Player
from players.services import create_token
from tests.players.conftest import PASSWORD
from tests.web.test_page_throttling import set_rate
from web.limits.table import TOKENS_BY_CLIENT

pytestmark = pytest.mark.django_db


def basic(username, password=PASSWORD):
    return {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()}


def bearer(player, *scopes, **details):
    _token, secret = create_token(player=player, name="bot", scopes=scopes, now=timezone.now(), **details)
    return {"HTTP_AUTHORIZATION": f"Bearer {secret}"}


def test_signing_up_answers_with_the_new_player(api):
    response = api.post("/api/v1/players/", {"username": "Anna", "password": PASSWORD})
    assert response.status_code == 201
    assert response.json() == {
        "username": "Anna",
        "url": "/players/Anna/",
        "is_guest": False,
        "is_computer": False,
        "is_closed": False,
        "level": "",
        "date_joined": response.json()["date_joined"],
        "email": "",
        "email_confirmed": False,
        "email_bounced": False,
        "may_be_entered": False,
        "goes_on": False,
        "by_itself": True,
        "single_keys": True,
        "time_zone": "",
    }


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["username", "password"]),
        ([], ["non_field_errors"]),
        ("text", ["non_field_errors"]),
        ({"username": {}, "password": []}, ["username", "password"]),
        ({"username": "anna", "password": PASSWORD, "email": None}, ["email"]),
        ({"username": "an na", "password": "short", "email": "?"}, ["username", "password", "email"]),
        ({"username": "anna\0", "password": PASSWORD}, ["username"]),
        ({"username": "anna", "password": PASSWORD, "email": "x" * 9000}, ["email"]),
    ],
)
def test_an_invalid_sign_up_is_refused_field_by_field(api, body, fields):
    response = api.post("/api/v1/players/", body)
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    assert response.json()["code"] == "invalid"
    assert list(response.json()["errors"]) == fields
    assert not Player.objects.filter(is_computer=False).exists()


def test_a_taken_username_is_a_conflict(api, anna):
    response = api.post("/api/v1/players/", {"username": "ANNA", "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (409, "already_taken")
    assert list(response.json()["errors"]) == ["username"]


def test_a_guest_comes_with_the_token_that_is_their_only_key(api):
    made = api.post("/api/v1/guests/").json()
    assert made["token"]["scopes"] == ["read", "play"]
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']['secret']}")
    assert api.get("/api/v1/players/me/").json()["username"] == made["player"]["username"]
    signed_up = api.post("/api/v1/players/", {"username": "anna", "password": PASSWORD})
    assert signed_up.status_code == 201
    assert api.get("/api/v1/players/me/").json()["username"] == "anna"
    assert Player.objects.filter(is_computer=False).count() == 1


def test_everybody_may_look_at_a_player_but_not_at_their_email(api, anna):
    response = api.get("/api/v1/players/ANNA/")
    assert response.status_code == 200
    assert response.json()["username"] == "anna"
    assert "email" not in response.json()


@pytest.mark.parametrize("username", ["nobody", "..", "%00", "%ff", "x" * 3000, "%F0%9F%98%80"])
def test_a_player_who_does_not_exist_is_not_found(api, username):
    response = api.get(f"/api/v1/players/{username}/")
    assert response.status_code in {400, 404}
    assert response["Content-Type"] == "application/problem+json"


def test_players_me_needs_authentication(api, anna):
    response = api.get("/api/v1/players/me/")
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_token_is_made_with_the_password_used_and_revoked(api, anna):
    made = api.post("/api/v1/tokens/", {"name": "bot", "scopes": ["read"]}, **basic("Anna"))
    assert made.status_code == 201
    secret = {"HTTP_AUTHORIZATION": f"Bearer {made.json()['secret']}"}
    assert api.get("/api/v1/players/me/", **secret).json()["email"] == "anna@example.org"
    listed = api.get("/api/v1/tokens/", **basic("anna")).json()
    assert [token["name"] for token in listed] == ["bot"]
    assert "secret" not in listed[0]
    assert listed[0]["last_used_at"] is not None
    assert api.delete(f"/api/v1/tokens/{listed[0]['id']}/", **basic("anna")).status_code == 204
    refused = api.get("/api/v1/players/me/", **secret)
    assert (refused.status_code, refused.json()["code"]) == (401, "authentication_failed")


@pytest.mark.parametrize("header", ["", "Token x", "Bearer", "kick_x", "Digest x", "Basic YTpi"])
def test_nobody_who_means_to_be_known_is_taken_for_nobody(api, anna, header):
    response = api.get("/api/v1/matches/", HTTP_AUTHORIZATION=header)
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")


def test_a_token_is_told_where_only_the_password_counts(api, anna):
    response = api.get("/api/v1/tokens/", **bearer(anna, "read"))
    assert response.status_code == 401
    assert response.json()["detail"] == "No token is enough here: send username and password by HTTP Basic."


@pytest.mark.parametrize(
    "header",
    ["Basic", "Basic %%%", "Basic " + base64.b64encode(b"\xff\xfe:x").decode(), "Basic YW5uYQ==", "Bearer", "Bearer ÿ"],
)
def test_a_header_that_cannot_be_read_is_refused(api, anna, header):
    response = api.get("/api/v1/tokens/", HTTP_AUTHORIZATION=header)
    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({"name": name}, "name") for name in (" ", "x" * 61, "a\0b", "a\u200bb")),
        *(({"scopes": scopes}, "scopes") for scopes in (None, [], "read", ["read", "fly"])),
        ({"expires_at": "0001-01-01T00:00:00+14:00"}, "expires_at"),
        ({"expires_at": "yesterday"}, "expires_at"),
        ({"expires_at": "2000-01-01T00:00:00Z"}, "expires_at"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(api, anna, change, field):
    response = api.post("/api/v1/tokens/", {"name": "bot", "scopes": ["read"], **change}, **basic("anna"))
    assert (response.status_code, response.json()["code"], list(response.json()["errors"])) == (400, "invalid", [field])


def test_an_expired_token_is_refused(api, anna):
    headers = bearer(anna, "read", expires_at=timezone.now() + timedelta(hours=1))
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert api.get("/api/v1/players/anna/", **headers).status_code == 401


def test_a_huge_token_id_is_not_found(api, anna):
    response = api.delete(f"/api/v1/tokens/{10**40}/", **basic("anna"))
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_guessing_a_password_over_basic_is_stopped(api, anna):
    for _ in range(10):
        assert api.get("/api/v1/tokens/", **basic("anna", "wrong")).status_code == 401
    response = api.get("/api/v1/tokens/", **basic("anna"))
    assert (response.status_code, response.json()["code"]) == (429, "too_many_attempts")
    assert 500 < int(response["Retry-After"]) <= 600


def test_email_and_password_change_with_the_password_only(api, anna):
    assert api.put("/api/v1/players/me/email/", {"email": ""}, **bearer(anna, "play")).status_code == 401
    assert api.put("/api/v1/players/me/email/", {"email": "a@b.org"}, **basic("anna")).json()["email"] == "a@b.org"
    change = {"old": PASSWORD, "new": "another horse 8"}
    assert api.put("/api/v1/players/me/password/", change, **basic("anna")).status_code == 204
    assert api.get("/api/v1/tokens/", **basic("anna")).status_code == 401
    wrong = api.put("/api/v1/players/me/password/", change, **basic("anna", "another horse 8"))
    assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_credentials")


def test_a_session_does_not_help_a_wrong_token(api, anna):
    api.force_login(anna)
    response = api.get("/api/v1/players/me/", HTTP_AUTHORIZATION="Bearer wrong")
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")


def test_a_token_needs_neither_a_session_nor_a_csrf_token(api, anna, django_assert_num_queries):
    token = bearer(anna, "read", "play")
    assert api.get("/api/v1/players/me/", **token).status_code == 200
    # Its use is noted once a minute.
    with django_assert_num_queries(1):
        assert api.get("/api/v1/players/me/", **token).status_code == 200
    refused = api.post("/api/v1/seeks/", {}, **token)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert not api.cookies


@pytest.mark.parametrize(
    ("scope", "rate", "request_of"),
    [
        ("sign-up", "2/hour", lambda api: api.post("/api/v1/players/", {})),
        ("guests", "2/hour", lambda api: api.post("/api/v1/guests/")),
        ("read", "2/min", lambda api: api.get("/api/v1/players/anna/")),
    ],
)
def test_too_many_requests_are_told_when_to_come_back(api, settings, scope, rate, request_of):
    set_rate(settings, scope, rate)
    assert 429 not in {request_of(api).status_code for _ in range(2)}
    response = request_of(api)
    assert (response.status_code, response.json()["code"]) == (429, "throttled")
    assert 0 < int(response["Retry-After"]) <= 3600
    other = api.get("/api/v1/players/anna/", REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 404


def test_every_answer_says_how_many_requests_are_left(api):
    for left in (1199, 1198):
        response = api.get("/api/v1/players/nobody/")
        assert response["RateLimit-Policy"] == '"read";q=1200;w=60'
        assert response["RateLimit"] in {f'"read";r={left};t={seconds}' for seconds in (59, 60)}


def test_tokens_are_not_guessed_for_long_and_a_right_one_is_answered_all_the_same(api, anna):
    right = bearer(anna, "read")
    wrong = {"HTTP_AUTHORIZATION": "Bearer kick_" + "x" * 43}
    for _ in range(TOKENS_BY_CLIENT.rates_of()[0].number):
        assert api.get("/api/v1/players/me/", **wrong).status_code == 401
    refused = api.get("/api/v1/players/me/", **wrong)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_attempts")
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert api.get("/api/v1/players/me/", **right).status_code == 200
    assert api.get("/api/v1/players/me/", REMOTE_ADDR="192.0.2.9", **wrong).status_code == 401
