"""Playing with a friend: a link that one person takes a game by, without an account."""

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Match, Seek
from matches.seek_links import link_to
from matches.selectors.seeks import seeks_to_take, seeks_waiting_for
from matches.services import take_by_link
from players.models import Player
from tests.matches import play
from tests.pages.html import text_of

pytestmark = pytest.mark.django_db

WISH = {"game": "paper-soccer", "colour": "red", "pace": "live"}


@pytest.fixture
def link(client_of, anna):
    """Return the path of the link to a rated game of anna's, who made it by the form."""
    return client_of(anna).post("/friend/", {**WISH, "is_rated": "on"}).url


def test_who_opens_a_link_sees_the_game_and_plays_at_once_as_a_guest(link):
    visitor = Client()
    for _preview in range(2):
        page = visitor.get(link)
        assert "anna invites you to play Paper Soccer" in text_of(page)
        assert "casual" in text_of(page)
    assert not Match.objects.exists()
    assert not Player.objects.filter(is_guest=True).exists()

    taken = visitor.post(link)
    match = Match.objects.get()
    assert taken["Location"] == match.get_absolute_url()
    assert (match.red.username, match.yellow.is_guest, match.is_rated) == ("anna", True, False)
    assert visitor.get(link)["Location"] == match.get_absolute_url()


def test_a_link_is_good_for_one_match_and_tells_the_next_person_so(link, client_of, piotr, carla):
    assert client_of(piotr).post(link).status_code == 302
    assert Match.objects.get().is_rated
    late = client_of(carla).post(link)
    assert (late.status_code, "Somebody has taken this game" in text_of(late)) == (409, True)
    assert "Somebody has taken this game" in text_of(client_of(carla).get(link))
    assert Match.objects.count() == 1


def test_a_withdrawn_link_takes_nothing(link, client_of, anna):
    seek = Seek.objects.get()
    client_of(anna).post(f"/seeks/{seek.pk}/withdraw/")
    late = Client().post(link)
    assert (late.status_code, "This game was withdrawn" in text_of(late)) == (409, True)
    assert not Player.objects.filter(is_guest=True).exists()


def test_who_made_the_game_finds_link_and_code_again_and_nobody_else_the_game(link, client_of, anna, piotr):
    seek = Seek.objects.get()
    assert link in client_of(anna).get("/seeks/").text
    page = client_of(anna).get(link).text
    assert (f'{link}"' in page, 'class="qr"' in page) == (True, True)
    assert client_of(anna).post(link).status_code == 409
    assert link not in client_of(piotr).get("/seeks/").text
    assert client_of(piotr).get(f"/api/v1/seeks/{seek.pk}/").status_code == 404
    assert client_of(piotr).post(f"/seeks/{seek.pk}/take/").status_code == 404
    assert not {*seeks_to_take(piotr, limit=9), *seeks_waiting_for(piotr)}


def test_a_made_up_link_leads_to_no_game(link):
    assert Client().get(link[:-2] + "x/").status_code == 404
    assert Client().post("/friend/1:x/").status_code == 404


def test_a_program_makes_follows_and_takes_a_link(client_of, anna, piotr):
    body = {"game": "paper-soccer", "by_link": True}
    seek = client_of(anna).post("/api/v1/seeks/", body, content_type="application/json").json()
    token = seek["link"].split("/")[-2]
    assert client_of(piotr).get(f"/api/v1/linked-seeks/{token}/").json()["status"] == "open"
    match = client_of(piotr).post(f"/api/v1/linked-seeks/{token}/take/", content_type="application/json")
    assert (match.status_code, match.json()["id"]) == (201, Match.objects.get().pk)
    for others in ({"invited": "piotr"}, {"min_rating": 1}, {"admits_computers": True}):
        refused = client_of(anna).post("/api/v1/seeks/", {**body, **others}, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid")


def test_a_guest_may_make_a_link_and_another_guest_take_it():
    maker = Client()
    link = maker.post("/friend/", WISH)["Location"]
    assert Client().post(link).status_code == 302
    assert {player.is_guest for player in Match.objects.get().players} == {True}
    assert maker.get(link)["Location"] == Match.objects.get().get_absolute_url()


def test_taking_a_link_again_gives_the_same_match(anna, piotr):
    seek = play.seek_of(anna, by_link=True, now=timezone.now())
    token = link_to(seek.pk).split("/")[-2]
    first = take_by_link(token=token, player=piotr, now=timezone.now())
    assert take_by_link(token=token, player=piotr, now=timezone.now()) == first
