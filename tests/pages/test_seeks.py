"""Seeks and invitations on their page."""

import pytest
from django.utils import timezone

from matches.clock import CORRESPONDENCE, TimeControl
from matches.models import Match, Seek
from matches.services.seeks import take_seek
from players.models import Player
from players.services import ensure_computer
from tests.matches import play
from tests.pages.html import text_of

pytestmark = pytest.mark.django_db

WISH = {"game": "streetsoccer-board", "colour": "yellow", "pace": "slow"}


@pytest.fixture
def seek_of(anna):
    return lambda creator=anna, **wishes: play.seek_of(creator, now=timezone.now(), **wishes)


@pytest.mark.parametrize(
    ("pace", "control"),
    [
        ({"pace": "slow"}, CORRESPONDENCE),
        ({"pace": "live"}, TimeControl.of_seconds(600, 15, 600)),
        ({"pace": "decision", "game": "soccer-tactics"}, TimeControl.of_decisions(60)),
        ({"pace": "custom", "bank": 2, "unit": 3600, "increment": 30}, TimeControl.of_seconds(7200, 30, 7200)),
    ],
)
def test_a_seek_is_opened_with_the_wanted_time(client_of, anna, pace, control):
    assert client_of(anna).post("/seeks/", {**WISH, **pace}).status_code == 302
    seek = Seek.objects.get()
    assert (seek.creator, seek.colour, seek.invited, seek.time_control) == (anna, "yellow", None, control)


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"invited": "nobody"}, "invited"),
        ({"invited": "ANNA"}, "invited"),
        ({"game": "cricket"}, "game"),
        ({"colour": "blue"}, "colour"),
        ({"pace": "decision"}, "pace"),
        ({"pace": "custom", "bank": 0, "unit": 60}, "bank"),
        ({"pace": "custom", "bank": 90000, "unit": 86400}, "bank"),
        ({"pace": "custom", "bank": ""}, "bank"),
        ({"pace": "custom", "bank": 1, "unit": 60, "increment": 61}, "bank"),
        ({"pace": "never"}, "pace"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_beside_its_field(client_of, anna, wish, field):
    response = client_of(anna).post("/seeks/", {**WISH, **wish})
    assert (response.status_code, list(response.context["form"].errors)) == (400, [field])
    assert not Seek.objects.exists()


def test_an_invitation_of_the_computer_starts_at_once(client_of, anna):
    computer = ensure_computer(level="club", now=timezone.now())
    response = client_of(anna).post("/seeks/", {**WISH, "invited": computer.username})
    assert response["Location"] == Match.objects.get().get_absolute_url()


def test_taking_a_seek_starts_the_match(client_of, piotr, seek_of):
    response = client_of(piotr).post(f"/seeks/{seek_of().pk}/take/")
    match = Match.objects.get()
    assert (response["Location"], match.yellow.username, match.red) == (match.get_absolute_url(), "anna", piotr)


def test_a_visitor_who_takes_a_seek_becomes_a_guest(client, seek_of):
    client.post(f"/seeks/{seek_of().pk}/take/")
    assert Match.objects.get().red.is_guest


def test_a_visitor_who_is_refused_a_seek_stays_a_visitor(client, piotr, seek_of):
    rated, invitation, gone = seek_of(is_rated=True), seek_of(invited=piotr), seek_of()
    take_seek(seek_id=gone.pk, player=piotr, now=timezone.now())
    answers = {seek: client.post(f"/seeks/{seek.pk}/take/") for seek in (rated, invitation, gone)}
    assert [answer.status_code for answer in answers.values()] == [403, 404, 409]
    assert "Sign up first" in text_of(answers[rated])
    assert not Player.objects.filter(is_guest=True).exists()
    assert client.get("/").wsgi_request.user.is_anonymous


def test_a_visitor_whose_seek_is_refused_stays_a_visitor(client):
    response = client.post("/seeks/", {**WISH, "is_rated": True})
    assert (response.status_code, list(response.context["form"].errors)) == (400, ["is_rated"])
    assert not Player.objects.filter(is_guest=True).exists()
    assert client.get("/").wsgi_request.user.is_anonymous


def test_a_seek_that_is_gone_is_refused(client_of, piotr, carla, seek_of):
    seek = seek_of()
    client_of(piotr).post(f"/seeks/{seek.pk}/take/")
    response = client_of(carla).post(f"/seeks/{seek.pk}/take/")
    assert (response.status_code, text_of(response).count("This game is no longer open.")) == (409, 1)


def test_the_creator_withdraws_their_seek(client_of, anna, seek_of):
    seek = seek_of()
    client_of(anna).post(f"/seeks/{seek.pk}/withdraw/")
    assert Seek.objects.get().status == "withdrawn"


def test_an_invitation_stands_on_top_and_can_be_declined(client_of, anna, piotr, carla, seek_of):
    seek = seek_of(invited=piotr)
    client = client_of(piotr)
    assert client.get("/seeks/").context["invitations"] == [seek]
    assert client_of(carla).get("/seeks/").context["invitations"] == []
    client.post(f"/seeks/{seek.pk}/decline/")
    assert Seek.objects.get().status == "declined"
    told = text_of(client_of(anna).get("/seeks/"))
    assert "piotr has declined your invitation to play StreetSoccer" in told
    assert "A match will appear on your home page" not in told


def test_the_form_invites_the_player_whose_page_led_here(client_of, anna, piotr):
    assert 'value="piotr"' in client_of(anna).get("/seeks/?invite=piotr").content.decode()


def test_three_seeks_of_one_player_come_before_those_of_others(client, seek_of, anna, piotr):
    seeks = [seek_of(piotr).pk] + [seek_of(anna).pk for _ in range(5)] + [seek_of(piotr).pk]
    shown = [seek.pk for seek in client.get("/seeks/").context["open_seeks"]]
    newest, *annas, oldest = reversed(seeks)
    assert shown == [newest, *annas[:3], oldest, *annas[3:]]


def test_a_flood_of_seeks_leaves_room_for_others_on_the_first_page(client_of, seek_of, anna, piotr):
    zoe = Player.objects.create(username="zoe")
    rare = seek_of(piotr)
    for _ in range(5):
        seek_of(anna)
    shown = client_of(zoe).get("/").context["seeks"]
    assert rare in shown
    assert [seek.creator for seek in shown] == [anna] * 3 + [piotr, anna]
