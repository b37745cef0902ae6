"""Attempts are counted before they are judged."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from rest_framework.test import APIClient

from players.errors import WrongCredentials
from players.services import change_password, check_credentials, reset_password
from tests.players.conftest import PASSWORD
from tests.tournaments.verbs import make_cup
from tournaments.entries.services import admission
from web.errors import DomainError, PasswordsBusy, TooManyAttempts
from web.limits.budgets import Budget, Effect, Rate, Unit, attempt, spend_all
from web.limits.table import (
    COMPETITION_PASSWORDS,
    CURRENT_PASSWORD,
    LOG_IN_BY_ACCOUNT,
    LOG_IN_BY_CLIENT,
    LOG_IN_BY_NAME,
)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
TEN = Budget("ten", Unit.ACCOUNT, Effect.GUESSES, (Rate(10, 600),))
FIVE = Budget("five", Unit.ACCOUNT, Effect.GUESSES, (Rate(5, 600),))
LOG_INS = (LOG_IN_BY_NAME, LOG_IN_BY_ACCOUNT, LOG_IN_BY_CLIENT)
HOME = "192.0.2.1"
TIMEOUT = 120


def judge_at_once(number, judged, doing):
    """Do something in so many threads; all judging goes on until nobody else comes. Return how each was answered."""

    def answered(index):
        try:
            doing(index)
        except DomainError as error:
            return type(error)

    with ThreadPoolExecutor(number) as threads:
        answers = [threads.submit(answered, index) for index in range(number)]
        never = Event()
        for _ in range(TIMEOUT * 100):
            if sum(answer.done() for answer in answers) + len(judged) >= number:
                break
            never.wait(0.01)
        judged.may_end.set()
        return [answer.result() for answer in answers]


class Judged(list):
    """Passwords that were judged; judging waits until it may end."""

    def __init__(self, right=False):
        super().__init__()
        self.may_end = Event()
        self.right = right

    def __call__(self, password, *more, **credentials):
        self.append(password)
        assert self.may_end.wait(2 * TIMEOUT)
        return self.right


TRIES = {
    "authenticate": lambda anna, wrong: check_credentials(username="anna", password=wrong, client_ip=HOME),
    "check_password": lambda anna, wrong: change_password(player=anna, old=wrong, new="another horse 8"),
}


@pytest.mark.parametrize("judge", TRIES)
def test_of_forty_passwords_at_once_ten_are_judged(anna, monkeypatch, judge):
    judged = Judged(right=None)
    monkeypatch.setattr(f"players.services.credentials.{judge}", lambda *given, **credentials: judged(credentials))
    answers = judge_at_once(40, judged, lambda index: TRIES[judge](anna, f"wrong {index}"))
    assert len(judged) == LOG_IN_BY_NAME.rates_of()[0].number == CURRENT_PASSWORD.rates_of()[0].number == 10
    assert sorted(each.__name__ for each in answers) == ["TooManyAttempts"] * 30 + ["WrongCredentials"] * 10


def test_of_forty_passwords_of_a_competition_at_once_ten_are_judged(anna, monkeypatch):
    cup, judged = make_cup(password=make_password("offside")), Judged()
    monkeypatch.setattr(admission, "check_password", judged)
    monkeypatch.setattr(admission, "_stored_password", lambda competition_id, player: "stored")
    answers = judge_at_once(
        40,
        judged,
        lambda index: admission.match_password(competition_id=cup.pk, player=anna, password=f"{index}", client_ip=HOME),
    )
    assert len(judged) == COMPETITION_PASSWORDS.rates_of()[0].number == 10
    assert [each for each in answers if each] == [TooManyAttempts] * 30


@pytest.mark.parametrize("way", ["page", "api"])
def test_a_player_who_tries_current_passwords_is_told_how_long_to_wait(anna, client, way):
    other = APIClient()
    for each in (client, other):
        each.force_login(anna)

    def change(old):
        body = {"old": old, "new": "another horse 8"}
        if way == "page":
            return client.post("/profile/password/", body)
        return other.put("/api/v1/players/me/password/", body)

    begun = time.monotonic()
    answers = [change(f"wrong {number}") for number in range(10)] + [change(PASSWORD)]
    took = time.monotonic() - begun
    assert [answer.status_code for answer in answers] == [400 if way == "page" else 403] * 10 + [429]
    assert 599 - took <= int(answers[-1]["Retry-After"]) <= 600


def test_current_passwords_of_one_player_are_not_counted_for_another_or_after_a_new_one(anna, guest):
    for _ in range(10):
        with pytest.raises(WrongCredentials):
            change_password(player=anna, old="wrong", new="another horse 8")
    reset_password(player=guest, new="another horse 8")
    change_password(player=guest, old="another horse 8", new="a third horse 9")
    reset_password(player=anna, new="another horse 8")
    change_password(player=anna, old="another horse 8", new="a third horse 9")


def test_right_passwords_cost_no_attempt_under_any_limit(anna, settings):
    settings.BUDGETS = {budget.kind: "2/600s" for budget in LOG_INS}
    for _ in range(5):
        assert check_credentials(username="anna", password=PASSWORD, client_ip=HOME) == anna


def test_log_ins_that_are_refused_by_one_limit_are_not_counted_under_the_others(anna):
    for _ in range(10):
        with pytest.raises(WrongCredentials):
            check_credentials(username="anna", password="wrong", client_ip=HOME)
    for _ in range(200):
        with pytest.raises(TooManyAttempts):
            check_credentials(username="anna", password=PASSWORD, client_ip=HOME)
    with pytest.raises(WrongCredentials):
        check_credentials(username="piotr", password="wrong", client_ip=HOME)
    assert check_credentials(username="anna", password=PASSWORD, client_ip="192.0.2.2") == anna


def test_an_attempt_that_one_limit_refuses_counts_under_none():
    for _ in range(5):
        FIVE.of("anna").spend()
    for _ in range(20):
        with pytest.raises(TooManyAttempts):
            spend_all(TEN.of("anna"), FIVE.of("anna"))
    for _ in range(10):
        TEN.of("anna").spend()


def test_a_refusal_is_not_counted_and_attempts_come_back_one_by_one(settings):
    settings.REDIS_URL = ""
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        FIVE.of("anna").spend()
        clock.shift(100)
        for _ in range(4):
            FIVE.of("anna").spend()
        for _ in range(50):
            with pytest.raises(TooManyAttempts) as refusal:
                FIVE.of("anna").spend()
        assert refusal.value.wait == 500
        clock.shift(500)
        FIVE.of("anna").spend()
        with pytest.raises(TooManyAttempts) as refusal:
            FIVE.of("anna").spend()
        assert refusal.value.wait == 100


@pytest.mark.parametrize(
    ("ends", "counts"),
    [
        (WrongCredentials("Wrong."), 1),
        (PasswordsBusy("Busy.", wait=5), 0),
        (TooManyAttempts("Too many.", wait=5), 0),
        (RuntimeError("broken"), 0),
        (None, 1),
    ],
)
def test_an_attempt_that_could_not_be_judged_does_not_count(ends, counts):
    def end():
        with attempt(FIVE.of("anna")):
            if ends:
                raise ends

    if ends:
        with pytest.raises(type(ends)):
            end()
    else:
        end()
    for _ in range(5 - counts):
        FIVE.of("anna").spend()
    with pytest.raises(TooManyAttempts):
        FIVE.of("anna").spend()


def test_an_attempt_that_is_forgiven_does_not_count_and_leaves_what_was_counted_before():
    FIVE.of("anna").spend()
    for _ in range(10):
        with attempt(FIVE.of("anna"), TEN.of("anna")) as one:
            one.forgive()
    for _ in range(4):
        FIVE.of("anna").spend()
    with pytest.raises(TooManyAttempts):
        FIVE.of("anna").spend()
    FIVE.of("anna").forget()
    FIVE.of("anna").spend()


def test_many_clients_do_not_make_the_site_forget_attempts(settings):
    for _ in range(5):
        FIVE.of("anna").spend()
    for number in range(2000):
        cache.set(f"present:{number}", True, 60)
    with pytest.raises(TooManyAttempts):
        FIVE.of("anna").spend()
