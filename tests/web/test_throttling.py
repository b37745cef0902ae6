"""The API's rates: how requests are counted, and what becomes of them when that is not possible."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from rest_framework.test import APIClient

from web.limits.request_counts import count_request

pytestmark = pytest.mark.both_databases

NOBODY_THERE = "unix:///nowhere/at/all"


@pytest.fixture
def without_redis(settings):
    settings.REDIS_URL = NOBODY_THERE


@pytest.mark.django_db
def test_players_go_on_without_redis(without_redis):
    response = APIClient().get("/api/v1/matches/")
    assert response.status_code == 200
    assert "RateLimit" not in response


@pytest.mark.django_db
def test_a_guarded_endpoint_stays_shut_without_redis(without_redis):
    client = APIClient(raise_request_exception=False)
    details = {"username": "anna", "password": "correct horse 7"}
    response = client.post("/api/v1/players/", details, format="json")
    assert (response.status_code, response["Retry-After"]) == (503, "5")


def test_requests_are_counted_up_to_their_number_by_client(db):
    counted = [count_request("anna", number=3, seconds=60) for _ in range(5)]
    assert [(each.allowed, each.used) for each in counted] == [(True, 1), (True, 2), (True, 3), (False, 3), (False, 3)]
    assert all(59 < each.reset <= 60 for each in counted)
    assert count_request("piotr", number=3, seconds=60).used == 1


def test_requests_that_come_at_once_are_counted_one_by_one(db):
    with ThreadPoolExecutor(8) as threads:
        counted = list(threads.map(lambda _: count_request("anna", number=10, seconds=60), range(40)))
    assert sum(each.allowed for each in counted) == 10
    assert sorted(each.used for each in counted if each.allowed) == list(range(1, 11))


def test_each_request_is_forgotten_in_its_own_time(settings):
    settings.REDIS_URL = ""
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        assert count_request("anna", number=2, seconds=60).used == 1
        clock.shift(40)
        assert count_request("anna", number=2, seconds=60).used == 2
        refused = count_request("anna", number=2, seconds=60)
        assert (refused.allowed, refused.reset) == (False, 20)
        clock.shift(20)
        allowed = count_request("anna", number=2, seconds=60)
        assert (allowed.allowed, allowed.used, allowed.reset) == (True, 2, 40)


@pytest.mark.postgresql
def test_redis_forgets_each_request_in_its_own_time(db):
    assert count_request("anna", number=1, seconds=1).allowed
    refused = count_request("anna", number=1, seconds=1)
    assert not refused.allowed
    while not (counted := count_request("anna", number=1, seconds=1)).allowed:
        assert 0 < counted.reset <= 1
    assert counted.used == 1
