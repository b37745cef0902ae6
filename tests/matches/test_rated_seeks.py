"""Seeks for rated matches, and seeks that ask for a rating."""

import re
from decimal import Decimal

import pytest

from matches.errors import GuestsNotRated, InvalidRatingRange, RatingOutOfRange
from matches.services import take_seek
from players.models import Rating
from players.services import create_guest
from tests.matches.conftest import NOON
from tests.matches.play import seek_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def guest():
    return create_guest(now=NOON)


@pytest.mark.parametrize(("wish", "is_rated"), [({"is_rated": True}, True), ({}, False)])
def test_the_match_of_a_rated_seek_is_rated_and_others_are_not(anna, piotr, wish, is_rated):
    assert take_seek(seek_id=seek_of(anna, **wish).pk, player=piotr, now=NOON).is_rated is is_rated


def test_guests_neither_open_rated_seeks_nor_are_invited_to_them_nor_take_them(anna, guest):
    with pytest.raises(GuestsNotRated):
        seek_of(guest, is_rated=True)
    with pytest.raises(GuestsNotRated):
        seek_of(anna, invited=guest, is_rated=True)
    with pytest.raises(GuestsNotRated):
        take_seek(seek_id=seek_of(anna, is_rated=True).pk, player=guest, now=NOON)


@pytest.mark.parametrize(
    ("rating", "taken"), [("1399.9999", False), ("1400.0000", True), ("1600.0000", True), ("1600.0001", False)]
)
def test_a_rating_range_holds_with_both_its_ends(anna, piotr, rating, taken):
    Rating.objects.create(player=piotr, family="streetsoccer", rating=Decimal(rating))
    seek = seek_of(anna, min_rating=1400, max_rating=1600)
    if taken:
        assert take_seek(seek_id=seek.pk, player=piotr, now=NOON)
    else:
        with pytest.raises(RatingOutOfRange):
            take_seek(seek_id=seek.pk, player=piotr, now=NOON)
        seek.refresh_from_db()
        assert seek.status == "open"


def test_a_player_who_has_not_played_yet_has_the_starting_rating(anna, piotr):
    with pytest.raises(RatingOutOfRange, match="rated 1501 or more"):
        take_seek(seek_id=seek_of(anna, min_rating=1501).pk, player=piotr, now=NOON)
    assert take_seek(seek_id=seek_of(anna, min_rating=1500, max_rating=1500).pk, player=piotr, now=NOON)


def test_a_range_upside_down_is_refused(anna):
    with pytest.raises(InvalidRatingRange):
        seek_of(anna, min_rating=1600, max_rating=1400)


def test_a_client_opens_a_rated_seek_with_a_range_and_is_told_why_not(client_of, anna, piotr):
    wish = {"game": "streetsoccer-board", "is_rated": True, "min_rating": 1600}
    seek = client_of(anna).post("/api/v1/seeks/", wish).json()
    assert (seek["is_rated"], seek["min_rating"], seek["max_rating"]) == (True, 1600, None)
    refused = client_of(piotr).post(f"/api/v1/seeks/{seek['id']}/take/")
    assert (refused.status_code, refused.json()["code"]) == (403, "rating_out_of_limits")


def test_the_page_shows_why_a_seek_cannot_be_taken(anna, client, piotr):
    seek_of(anna, min_rating=1600)
    client.force_login(piotr)
    page = client.get("/seeks/").content.decode()
    assert "This game is for players rated 1600 or more." in page
    assert "/take/" not in page


def test_the_page_offers_visitors_only_what_they_may_take_as_guests(anna, client):
    seek_of(anna, is_rated=True)
    seek_of(anna, min_rating=1501)
    casual = seek_of(anna, max_rating=1500)
    page = client.get("/seeks/").content.decode()
    assert "Only players with an account can play rated matches. Sign up first." in page
    assert "This game is for players rated 1501 or more." in page
    assert re.findall(r"/seeks/(\d+)/take/", page) == [str(casual.pk)]


def test_a_form_with_a_range_upside_down_says_so_beside_it(client, anna):
    client.force_login(anna)
    wish = {"game": "streetsoccer-board", "colour": "random", "pace": "slow", "min_rating": 2, "max_rating": 1}
    response = client.post("/seeks/", wish)
    assert response.status_code == 400
    assert response.context["form"].errors["min_rating"] == ["The lowest rating is higher than the highest."]
