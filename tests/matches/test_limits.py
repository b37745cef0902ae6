"""Tests of how much one player may have open at a time, on every page, by the API and at the same moment."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from matches.errors import TooManyComputerMatches, TooManyInvitations, TooManySeeks
from matches.models import Colour, Match, Seek
from matches.services import offer_rematch, play_against_computer, resign, take_seek, take_waiting_seeks, withdraw_seek
from matches.services.computer_moves import SEEK_DELAY
from matches.tasks import forget_clients
from players.models import Player
from players.services import create_computer, create_guest, digest_client, ensure_computer, note_client, sign_up
from tests.matches.conftest import NOON
from tests.matches.play import begin_match, seek_of
from tests.matches.test_races import race

pytestmark = pytest.mark.django_db

SCHOOL = "198.51.100.7"
HOME = "203.0.113.9"

OpenSeek = Callable[..., Seek]


@pytest.fixture
def guest(db):
    return create_guest(now=NOON, network=SCHOOL)


def play(player: Player, number: int = 1) -> list[Match]:
    return [
        play_against_computer(player=player, game="streetsoccer-board", colour=Colour.YELLOW, now=NOON)
        for _ in range(number)
    ]


def test_a_guest_plays_three_matches_against_computers_at_a_time(guest):
    *_, last = play(guest, 3)
    with pytest.raises(TooManyComputerMatches, match=r"at most 3 matches .* can have 20\."):
        play(guest)
    resign(match_id=last.pk, player=guest, now=NOON)
    assert play(guest)


def test_a_player_plays_twenty(anna):
    play(anna, 20)
    with pytest.raises(TooManyComputerMatches, match=r"at most 20 matches .* Finish or resign"):
        play(anna)
    assert Match.objects.count() == Seek.objects.count() == 20


def test_all_guests_of_one_client_share_sixty(settings):
    settings.MAX_COMPUTER_MATCHES_OF_CLIENT = 5
    one, other, third = (create_guest(now=NOON, network=SCHOOL) for _ in range(3))
    play(one, 3)
    play(other, 2)
    with pytest.raises(TooManyComputerMatches, match="Guests on your network are already playing 5 matches"):
        play(third)
    assert play(create_guest(now=NOON, network=HOME), 3)
    member = sign_up(username="piotr", password="seven tall giraffes", guest=third, now=NOON)
    assert play(member)


def test_the_default_for_a_client_is_sixty(settings):
    assert settings.MAX_COMPUTER_MATCHES_OF_CLIENT == 60


def test_matches_against_people_and_those_of_competitions_do_not_count(guest, anna, begin):
    computer = ensure_computer(level="club", now=NOON)
    for opponent, competition in ((anna, None), (computer, 7)):
        for _ in range(3):
            begin_match(guest, opponent, competition=competition)
    assert play(guest, 3)


def test_a_rematch_of_a_computer_counts(guest):
    first, *_ = play(guest, 3)
    resign(match_id=first.pk, player=guest, now=NOON)
    play(guest)
    with pytest.raises(TooManyComputerMatches):
        offer_rematch(match_id=first.pk, player=guest, now=NOON)


def test_a_computer_leaves_the_seek_of_who_plays_enough_of_them_to_people(guest, anna):
    seek = seek_of(guest, admits_computers=True)
    first, *_ = play(guest, 3)
    assert take_waiting_seeks(now=NOON + SEEK_DELAY) == 0
    resign(match_id=first.pk, player=guest, now=NOON)
    assert take_waiting_seeks(now=NOON + SEEK_DELAY) == 1
    seek.refresh_from_db()
    assert seek.match is not None


def test_taking_the_seek_of_a_computer_counts(guest):
    offered = seek_of(create_computer(username="computer-2", now=NOON))
    play(guest, 3)
    with pytest.raises(TooManyComputerMatches):
        take_seek(seek_id=offered.pk, player=guest, now=NOON)


def test_a_player_has_five_open_seeks(anna, piotr):
    first, *_ = [seek_of(anna) for _ in range(5)]
    with pytest.raises(TooManySeeks, match=r"at most 5 open games .* Withdraw one"):
        seek_of(anna)
    assert seek_of(anna, invited=piotr)
    assert seek_of(piotr)
    withdraw_seek(seek_id=first.pk, player=anna)
    assert seek_of(anna)


def test_a_player_has_three_open_invitations_to_one_person(anna, piotr, carla):
    first, *_ = [seek_of(anna, invited=piotr) for _ in range(3)]
    with pytest.raises(TooManyInvitations, match="at most 3 open invitations to piotr"):
        seek_of(anna, invited=piotr)
    assert seek_of(anna, invited=carla)
    take_seek(seek_id=first.pk, player=piotr, now=NOON)
    assert seek_of(anna, invited=piotr)


def test_a_player_has_twenty_open_invitations(anna):
    people = [Player.objects.create(username=f"player{number}") for number in range(21)]
    for person in people[:20]:
        seek_of(anna, invited=person)
    with pytest.raises(TooManyInvitations, match="at most 20 open invitations at a time"):
        seek_of(anna, invited=people[20])
    assert seek_of(anna, invited=ensure_computer(level="club", now=NOON)).match


def test_an_offer_of_a_rematch_is_an_invitation(anna, piotr, begin):
    match = resign(match_id=begin().pk, player=anna, now=NOON)
    for _ in range(3):
        seek_of(anna, invited=piotr)
    with pytest.raises(TooManyInvitations):
        offer_rematch(match_id=match.pk, player=anna, now=NOON)
    assert offer_rematch(match_id=match.pk, player=piotr, now=NOON)


def test_the_api_says_so_with_a_code(client_of, anna, guest, piotr):
    seek = {"game": "streetsoccer-board", "colour": "yellow"}
    match = {"opponent": "computer", "game": "streetsoccer-board"}
    play(guest, 3)
    answers = [client_of(guest).post("/api/v1/matches/", match)]
    answers += [client_of(anna).post("/api/v1/seeks/", seek) for _ in range(6)][-1:]
    answers += [client_of(anna).post("/api/v1/seeks/", {**seek, "invited": "piotr"}) for _ in range(4)][-1:]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (409, "too_many_computer_matches"),
        (409, "too_many_seeks"),
        (409, "too_many_invitations"),
    ]


def test_the_pages_say_so_in_words(client, anna, piotr):
    for _ in range(4):
        answer = client.post("/play/", {"level": "club"}, REMOTE_ADDR=SCHOOL)
    assert answer.status_code == 409
    assert "at most 3 matches against computers" in answer.content.decode()
    client.force_login(anna)
    wish = {"game": "streetsoccer-board", "colour": "yellow", "pace": "slow"}
    for _ in range(6):
        answer = client.post("/seeks/", wish)
    assert "at most 5 open games" in answer.content.decode()
    for _ in range(4):
        answer = client.post("/seeks/", {**wish, "invited": "piotr"})
    assert answer.context["form"].errors["invited"][0].startswith("You can have at most 3 open invitations to piotr")


def test_new_guests_bring_nothing(settings, db):
    settings.MAX_COMPUTER_MATCHES_OF_CLIENT = 4
    answers = [Client(REMOTE_ADDR=SCHOOL).post("/play/", {"level": "club"}) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [302] * 4 + [409]
    assert Player.objects.filter(is_guest=True).count() == 4
    program = APIClient(REMOTE_ADDR=SCHOOL)
    secret = program.post("/api/v1/guests/").json()["token"]["secret"]
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    answer = program.post("/api/v1/matches/", {"opponent": "computer", "game": "streetsoccer-board"})
    assert answer.json()["code"] == "too_many_computer_matches"


def test_one_network_of_ipv6_is_one_client(db):
    for host in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"):
        Client(REMOTE_ADDR=host).post("/play/", {"level": "club"})
    digests = list(Player.objects.filter(is_guest=True).order_by("pk").values_list("client_digest", flat=True))
    assert digests == [digest_client("2001:db8::/64")] * 2 + [digest_client("2001:db8:0:1::/64")]
    assert not any("2001" in digest for digest in digests)


def test_the_client_of_a_guest_is_forgotten_when_it_is_not_needed(guest):
    playing, member = (create_guest(now=NOON, network=HOME) for _ in range(2))
    play(playing)
    just_come = create_guest(now=timezone.now(), network=HOME)
    assert sign_up(username="zoe", password="seven tall giraffes", guest=member, now=NOON).client_digest == ""
    forget_clients()
    known = Player.objects.exclude(client_digest="").values_list("pk", flat=True)
    assert set(known) == {playing.pk, just_come.pk}


def test_it_is_known_again_when_the_guest_comes_back(client_of, guest, anna):
    Player.objects.update(client_digest="")
    for player in (guest, anna):
        client_of(player).post("/api/v1/seeks/", {}, REMOTE_ADDR=HOME)
        player.refresh_from_db()
    assert (guest.client_digest, anna.client_digest) == (digest_client(HOME), "")
    note_client(player=guest, network=SCHOOL)
    guest.refresh_from_db()
    assert guest.client_digest == digest_client(HOME)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    """Requests that come at once do not pass a cap together."""

    def test_one_guest(self):
        guest = create_guest(now=NOON, network=SCHOOL)
        play(guest, 2)
        assert sorted(race(*[partial(play, guest)] * 6)) == ["ok"] + ["too_many_computer_matches"] * 5
        assert Match.objects.count() == 3

    def test_guests_of_one_client(self, settings):
        settings.MAX_COMPUTER_MATCHES_OF_CLIENT = 2
        guests = [create_guest(now=NOON, network=SCHOOL) for _ in range(6)]
        results = race(*[partial(play, guest) for guest in guests])
        assert sorted(results) == ["ok"] * 2 + ["too_many_computer_matches"] * 4

    def test_guests_who_come_into_being_at_that_moment(self, settings):
        settings.MAX_COMPUTER_MATCHES_OF_CLIENT = 2

        def play_as_new_guest() -> None:
            with transaction.atomic():
                play(create_guest(now=NOON, network=SCHOOL))

        assert sorted(race(*[play_as_new_guest] * 6)) == ["ok"] * 2 + ["too_many_computer_matches"] * 4
        assert Match.objects.count() == Player.objects.filter(is_guest=True).count() == 2

    def test_seeks_and_invitations(self):
        anna, piotr = Player.objects.create(username="anna"), Player.objects.create(username="piotr")
        assert sorted(race(*[partial(seek_of, anna)] * 8)) == ["ok"] * 5 + ["too_many_seeks"] * 3
        assert sorted(race(*[partial(seek_of, anna, invited=piotr)] * 8)) == ["ok"] * 3 + ["too_many_invitations"] * 5

    def test_players_do_not_wait_for_each_other(self):
        people = [Player.objects.create(username=f"player{number}") for number in range(4)]
        assert race(*[partial(play, person) for person in people]) == ["ok"] * 4
