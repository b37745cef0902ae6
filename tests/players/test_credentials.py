"""Checking passwords, and how often that may be tried."""

import pytest

from players.errors import WrongCredentials
from players.models import Player
from players.services import check_credentials, reset_password
from tests.players.conftest import PASSWORD
from web.errors import TooManyAttempts
from web.limits.table import LOG_IN_BY_ACCOUNT, LOG_IN_BY_CLIENT, LOG_IN_BY_NAME

PER_NAME, PER_ACCOUNT, PER_CLIENT = (
    each.rates_of()[0] for each in (LOG_IN_BY_NAME, LOG_IN_BY_ACCOUNT, LOG_IN_BY_CLIENT)
)

HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def fail(times, username="anna", client_ip=HOME):
    for _ in range(times):
        with pytest.raises(WrongCredentials):
            check_credentials(username=username, password="wrong", client_ip=client_ip)


@pytest.mark.parametrize(
    ("username", "password"),
    [
        *((name, "wrong") for name in ("nobody", "", "an\0na", "\ud800", "x" * 10_000)),
        *(("anna", password) for password in ("", "wrong", "nu\0ll", "\ud800", "x" * 10_000)),
    ],
)
def test_unknown_and_impossible_names_and_passwords_are_wrong_credentials(anna, username, password):
    with pytest.raises(WrongCredentials):
        check_credentials(username=username, password=password, client_ip=HOME)


def test_a_player_who_is_not_active_cannot_log_in(anna):
    Player.objects.update(is_active=False)
    with pytest.raises(WrongCredentials):
        check_credentials(username="anna", password=PASSWORD, client_ip=HOME)


def test_guests_and_the_computer_cannot_log_in(guest):
    fail(1, username=guest.username)


def test_an_attacker_elsewhere_does_not_lock_the_player_out(anna):
    fail(PER_NAME.number, client_ip=ELSEWHERE)
    assert check_credentials(username="anna", password=PASSWORD, client_ip=HOME) == anna


def test_the_right_password_gives_all_attempts_back(anna):
    fail(PER_NAME.number - 1)
    check_credentials(username="anna", password=PASSWORD, client_ip=HOME)
    fail(PER_NAME.number)


def test_one_client_cannot_try_one_password_on_many_names(anna):
    for number in range(PER_CLIENT.number):
        fail(1, username=f"name{number}")
    with pytest.raises(TooManyAttempts):
        check_credentials(username="anna", password=PASSWORD, client_ip=HOME)


@pytest.fixture
def guessed_from_everywhere(anna):
    """Try a few passwords only from each of many client IPs."""
    for number in range(PER_ACCOUNT.number):
        fail(1, username="anna", client_ip=f"192.0.2.{number}")


def test_many_clients_together_cannot_guess_one_players_password(anna, guessed_from_everywhere):
    with pytest.raises(TooManyAttempts) as refusal:
        check_credentials(username="ANNA", password=PASSWORD, client_ip="198.51.100.1")
    assert 0 < refusal.value.wait <= PER_ACCOUNT.seconds
    fail(1, username="piotr", client_ip="198.51.100.1")


def test_a_player_shut_out_by_guesses_gets_in_by_choosing_another_password(anna, guessed_from_everywhere):
    reset_password(player=anna, new="another horse 8")
    assert check_credentials(username="anna", password="another horse 8", client_ip=HOME) == anna
