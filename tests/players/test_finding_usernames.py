"""Players are found by any part of their usernames, on both databases alike and by indexes."""

import pytest
from django.db import connection
from django.test import Client

from players.models import Player
from players.selectors import find_usernames, players_named, usernames_from
from tests.matches.test_queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def make(*names: str, **about: object) -> None:
    Player.objects.bulk_create([Player(username=name, **about) for name in names])


def test_usernames_are_found_in_any_case_those_that_begin_so_first():
    make("annabel", "Ann", "ann-9", "Ann_b", "hanna", "anton", "ANN0")
    assert find_usernames(part="aNn") == ["Ann", "ann-9", "ANN0", "Ann_b", "annabel", "hanna"]
    assert find_usernames(part="nto") == ["anton"]
    assert find_usernames(part="nt") == []
    assert find_usernames(part="ann-") == ["ann-9"]
    assert find_usernames(part="ann_") == ["Ann_b"]
    assert find_usernames(part="annabel") == ["annabel"]


@pytest.mark.parametrize("part", ["", "a", "%", "an%", "a_n", "an n", "ann\0", "Ä" * 3, "a" * 21])
def test_nothing_is_found_by_a_single_letter_or_by_what_no_username_has(part):
    make("ann", "an-n")
    assert find_usernames(part=part) == []


def test_neither_guests_nor_closed_accounts_are_found():
    make("guest-abcdefgh", is_guest=True)
    make("gone", is_active=False)
    make("good")
    assert [find_usernames(part=part) for part in ("gu", "bcd", "go", "one")] == [[], [], ["good"], []]


def test_at_most_ten_are_found_in_one_query_that_reads_its_index():
    make(*(f"player-{number:03}" for number in range(300)))
    assert find_usernames(part="player") == [f"player-{number:03}" for number in range(10)]
    assert len(queries_of(lambda: find_usernames(part="player"))) == 1
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert "player_by_part" in players_named(part="r-29").order_by().explain()
    assert "player_by_beginning" in usernames_from("player").explain()


def test_a_logged_in_player_asks_the_api_and_a_single_letter_is_refused():
    make("ann", "annabel")
    url, client = "/api/v1/usernames/", Client()
    assert client.get(url, {"beginning": "an"}).status_code == 401
    client.force_login(Player.objects.get(username="ann"))
    assert client.get(url, {"beginning": "AN"}).json() == ["ann", "annabel"]
    assert [client.get(url, query).status_code for query in ({}, {"beginning": "a"}, {"begins": "an"})] == [400] * 3
