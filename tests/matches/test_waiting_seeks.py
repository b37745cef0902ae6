"""Seeks and invitations that wait for a player."""

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Colour, Seek
from matches.selectors.seeks import obstacles_to, open_seeks, seeks_waiting_for
from matches.services import decline_seek, take_seek, withdraw_seek
from players.models import Player, Rating, Scope
from players.services import create_guest, create_token
from tests.matches.conftest import NOON
from tests.matches.play import seek_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

URL = "/api/v1/seeks/?for_me=true"


def listed(client: Any, url: str = URL) -> list[int]:
    return [seek["id"] for seek in client.get(url).json()["results"]]


def test_invitations_and_seeks_that_one_may_take_wait(client_of, anna, piotr, carla):
    for_all, invitation = seek_of(anna), seek_of(anna, invited=piotr)
    seek_of(anna, invited=carla)
    own = seek_of(piotr)
    too_strong = seek_of(anna, min_rating=1600)
    assert listed(client_of(piotr)) == [invitation.pk, for_all.pk]
    assert {own.pk, too_strong.pk} <= set(listed(client_of(piotr), "/api/v1/seeks/"))
    assert listed(client_of(piotr), f"{URL}&game=paper-soccer-1") == []
    assert listed(client_of(piotr), f"{URL}&limit=1") == [invitation.pk]


def test_a_seek_that_was_withdrawn_declined_or_taken_waits_no_more(client_of, anna, piotr, carla):
    withdrawn, declined, taken = seek_of(anna), seek_of(anna, invited=piotr), seek_of(anna)
    withdraw_seek(seek_id=withdrawn.pk, player=anna)
    decline_seek(seek_id=declined.pk, player=piotr)
    take_seek(seek_id=taken.pk, player=carla, now=NOON)
    assert listed(client_of(piotr)) == []


def test_for_nobody_nothing_waits(client_of, piotr):
    response = client_of(None).get(URL)
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    _token, secret = create_token(player=piotr, name="player", scopes=[Scope.PLAY], now=NOON)
    response = client_of(None).get(URL, HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert (response.status_code, response.json()["detail"]) == (403, "This token lacks the scope 'read'.")


@pytest.mark.parametrize("rating", [None, "1399.9999", "1400", "1600", "1600.0001"])
@pytest.mark.parametrize("kind", ["player", "guest", "computer"])
def test_exactly_those_wait_that_nothing_stands_against(kind, rating, anna):
    player = (
        create_guest(now=NOON) if kind == "guest" else Player.objects.create(username="p", level="", date_joined=NOON)
    )
    if kind == "computer":
        Player.objects.filter(pk=player.pk).update(is_computer=True)
        player.refresh_from_db()
    if rating is not None:
        Rating.objects.create(player=player, family="streetsoccer", rating=Decimal(rating))
    usual: dict[str, Any] = {
        "creator": anna,
        "colour": Colour.YELLOW,
        "time_bank": 600,
        "time_increment": 0,
        "time_cap": 600,
    }
    names = ("game", "invited", "is_rated", "admits_computers", "min_rating", "max_rating")
    Seek.objects.bulk_create(
        Seek(**usual, created_at=NOON, **dict[str, Any](zip(names, (*wish, *ratings), strict=True)))
        for *wish, ratings in product(
            ("streetsoccer-board", "paper-soccer-1"),
            (None, player),
            (False, True),
            (False, True),
            ((None, None), (1400, 1600), (1501, None), (None, 1599)),
        )
    )
    everything = open_seeks(player)
    obstacles = obstacles_to(list(everything), player)
    expected = {seek.pk for seek in everything} - obstacles.keys()
    assert {seek.pk for seek in seeks_waiting_for(player)} == expected
    assert 0 < len(expected) < len(everything)


def test_many_seeks_cost_no_queries_of_their_own(client_of, anna, piotr):
    client = client_of(piotr)
    seek_of(anna)
    with CaptureQueriesContext(connection) as few:
        assert len(listed(client)) == 1
    for number in range(3):
        seek_of(Player.objects.create(username=f"p{number}", date_joined=NOON))
        seek_of(Player.objects.create(username=f"q{number}", date_joined=NOON), invited=piotr)
    with CaptureQueriesContext(connection) as many:
        assert len(listed(client)) == 7
    assert len(few) == len(many)
