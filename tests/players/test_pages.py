"""The players' pages."""

import pytest

from players.models import ApiToken, Player
from players.selectors import find_token
from tests.players.conftest import NOON, PASSWORD, client_of

pytestmark = pytest.mark.django_db

NEW = {"username": "anna", "password": PASSWORD, "email": ""}


def test_a_visitor_signs_up_and_is_logged_in(client):
    response = client.post("/sign-up/", NEW)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.get("/profile/").status_code == 200


def test_a_guest_signs_up_in_their_own_row_and_gets_a_new_session_key(client, guest):
    client.force_login(guest)
    before = client.session.session_key
    client.post("/sign-up/", NEW)
    assert Player.objects.get(is_computer=False).pk == guest.pk
    assert client.session.session_key != before
    assert client.get("/profile/").status_code == 200


def test_a_refused_sign_up_says_why_beside_the_field(client, anna):
    response = client.post("/sign-up/", {**NEW, "username": "ANNA"})
    assert response.status_code == 400
    assert response.context["form"].errors == {"username": ["The username ANNA is taken."]}


def test_a_player_who_has_an_account_is_sent_on_from_signing_up(browser):
    assert browser.get("/sign-up/?next=/seeks/")["Location"] == "/seeks/"


def test_logging_in_leads_to_where_one_wanted_to_go(client, anna):
    response = client.post("/log-in/", {"username": "ANNA", "password": PASSWORD, "next": "/profile/"})
    assert (response.status_code, response["Location"]) == (302, "/profile/")


@pytest.mark.parametrize(
    "nothing", ["profile", "home", "0", "?", "%00", "../x", "a b", "x" * 3000, "/" + "\U0001f3c6" * 2000]
)
def test_a_right_password_logs_in_whatever_page_is_wanted(client, anna, nothing):
    details = {"username": "anna", "password": PASSWORD, "next": nothing}
    response = client.post("/log-in/", details)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.get("/profile/").status_code == 200
    assert client.get("/sign-up/", {"next": nothing})["Location"] == "/"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "http:///evil.example"],
)
def test_logging_in_never_leads_to_another_site(client, anna, elsewhere):
    response = client.post(f"/log-in/?next={elsewhere}", {"username": "anna", "password": PASSWORD, "next": elsewhere})
    assert (response.status_code, response["Location"]) == (302, "/")


def test_a_wrong_password_is_refused_and_ten_of_them_stop_the_guessing(client, anna):
    wrong = {"username": "anna", "password": "wrong"}
    assert [client.post("/log-in/", wrong).status_code for _ in range(10)] == [400] * 10
    response = client.post("/log-in/", {"username": "Anna", "password": PASSWORD})
    assert response.status_code == 429
    assert 500 < int(response["Retry-After"]) <= 600
    assert "_auth_user_id" not in client.session


def test_logging_out_needs_a_post(browser):
    assert browser.get("/log-out/").status_code == 405
    assert browser.post("/log-out/")["Location"] == "/"
    assert "_auth_user_id" not in browser.session


def test_the_profile_needs_somebody(client):
    assert client.get("/profile/")["Location"] == "/log-in/?next=/profile/"


def test_a_token_is_shown_once_and_can_be_revoked(browser, anna):
    shown = browser.post("/profile/tokens/", {"name": "bot", "scopes": ["read", "play"], "days": "7"})
    secret = shown.context["secret"]
    assert secret in shown.content.decode()
    token = find_token(secret=secret, now=NOON)
    assert (token.player, token.scopes) == (anna, ["read", "play"])
    assert (token.expires_at - token.created_at).days == 7
    assert secret not in browser.get("/profile/").content.decode()
    browser.post(f"/profile/tokens/{token.pk}/revoke/")
    assert not ApiToken.objects.exists()


def test_a_token_without_scopes_is_refused(browser):
    response = browser.post("/profile/tokens/", {"name": "bot", "days": "forever"})
    assert response.status_code == 400
    assert set(response.context["token_form"].errors) == {"scopes", "days"}


def test_changing_the_password_keeps_this_session_and_ends_the_others(browser, anna):
    other = client_of(anna)
    response = browser.post("/profile/password/", {"old": PASSWORD, "new": "another horse 8"})
    assert response["Location"] == "/profile/"
    assert browser.get("/profile/").status_code == 200
    assert other.get("/profile/").status_code == 302


def test_a_wrong_old_password_changes_nothing(browser):
    response = browser.post("/profile/password/", {"old": "wrong", "new": "another horse 8"})
    assert response.status_code == 400
    assert response.context["password_form"].errors == {"old": ["Wrong password."]}
    assert Player.objects.get(is_computer=False).check_password(PASSWORD)


def test_the_email_address_can_be_changed(browser):
    assert browser.post("/profile/email/", {"email": "new@example.org"}).status_code == 302
    assert Player.objects.get(is_computer=False).email == "new@example.org"
    assert browser.post("/profile/email/", {"email": "no address"}).status_code == 400


def test_a_players_page_is_found_in_any_case(client, anna):
    assert client.get("/players/ANNA/").context["player"] == anna
    assert client.get("/players/nobody/").status_code == 404


@pytest.mark.parametrize("path", ["/sign-up/", "/log-in/"])
@pytest.mark.parametrize("value", ["\0", "\x01", "x" * 999, "😀" * 9, "<script>alert(1)</script>"])
def test_strange_input_is_refused_without_harm(client, path, value):
    response = client.post(path, {"username": value, "password": value, "email": value, "next": value})
    assert response.status_code == 400
    assert b"<script>alert" not in response.content
