"""Guesses by others do not shut a player out of a browser that the player has used before."""

import pytest
from django.test import Client

from players.devices import COOKIE
from players.services import reset_password, sign_up
from tests.players.conftest import NOON, PASSWORD

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HOME = "198.51.100.7"
WRONG = {"username": "anna", "password": "wrong"}
RIGHT = {"username": "anna", "password": PASSWORD}


def log_in(client, details=RIGHT, **more):
    return client.post("/log-in/", details, **({"REMOTE_ADDR": HOME} | more)).status_code


@pytest.fixture
def known(anna):
    """Return a browser in which anna has been logged in, and has logged out."""
    client = Client()
    assert log_in(client) == 302
    client.post("/log-out/")
    return client


@pytest.fixture
def guessed_from_everywhere(known):
    """Let strangers in many networks, and in anna's own, guess until the name is shut."""
    for number in range(90):
        assert log_in(Client(), WRONG, REMOTE_ADDR=f"192.0.2.{number}") == 400
    assert [log_in(Client(), WRONG) for _guess in range(11)] == [400] * 10 + [429]


def test_the_own_browser_lets_its_player_in_whatever_others_have_guessed(known, guessed_from_everywhere):
    assert log_in(Client(), REMOTE_ADDR="203.0.113.1") == 429
    assert log_in(known) == 302


def test_a_known_browser_has_its_own_guesses_and_no_more(known):
    assert [log_in(known, WRONG) for _guess in range(10)] == [400] * 10
    assert log_in(known) == 429
    # They were counted apart: another browser in the same network has not used any up.
    assert log_in(Client()) == 302


def test_a_cookie_that_was_changed_or_belongs_to_another_account_is_worth_nothing(known, guessed_from_everywhere):
    cookie = known.cookies[COOKIE].value
    for value in (cookie[:-1] + ("A" if cookie[-1] != "A" else "B"), "", "nonsense"):
        stranger = Client()
        stranger.cookies[COOKIE] = value
        assert log_in(stranger) == 429
    sign_up(username="piotr", password=PASSWORD, now=NOON)
    other = Client()
    assert log_in(other, RIGHT | {"username": "piotr"}, REMOTE_ADDR="203.0.113.1") == 302
    assert log_in(other, REMOTE_ADDR="203.0.113.1") == 429


def test_with_another_password_a_browser_is_unknown_until_it_has_been_in_again(known, anna, guessed_from_everywhere):
    reset_password(player=anna, new="another horse 8")
    new = {"username": "anna", "password": "another horse 8"}
    # Choosing it by mail has forgiven what others guessed; they go on.
    for number in range(100):
        assert log_in(Client(), WRONG, REMOTE_ADDR=f"192.0.2.{100 + number}") == 400
    assert log_in(known, new) == 429


def test_the_cookie_lets_nobody_in_and_goes_to_no_other_page(known):
    assert known.get("/api/v1/players/me/").status_code == 401
    cookie = known.cookies[COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/log-in/", True, "Lax")
    assert "anna" not in cookie.value


def test_who_changed_the_password_in_a_browser_is_known_there(known, anna, guessed_from_everywhere):
    assert log_in(known) == 302
    known.post("/profile/password/", {"old": PASSWORD, "new": "another horse 8"})
    known.post("/log-out/")
    for number in range(100):
        log_in(Client(), WRONG, REMOTE_ADDR=f"192.0.2.{100 + number}")
    new = {"username": "anna", "password": "another horse 8"}
    assert [log_in(Client(), new, REMOTE_ADDR="203.0.113.1"), log_in(known, new)] == [429, 302]
