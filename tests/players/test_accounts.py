"""Making and changing accounts by their services."""

from functools import partial

import pytest
from django.db import IntegrityError, transaction

from players.errors import AlreadySignedUp, AlreadyTaken, WrongCredentials
from players.models import Player
from players.selectors import find_player
from players.services import change_password, create_guest, ensure_computer, sign_up
from tests.matches.test_races import race
from tests.players.conftest import NOON, PASSWORD
from web.errors import InvalidDetails

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_signing_up_makes_a_full_player_who_can_log_in(anna):
    assert (anna.username, anna.email, anna.is_guest, anna.is_computer) == ("anna", "anna@example.org", False, False)
    assert anna.date_joined == NOON
    assert anna.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("username", name) for name in ["", "ab", "a" * 21, "an na", "änna", "anna!", "anna\n", "an\0na"]),
        *(("username", name) for name in ["\ud800nna", "ｆｕｌｌ", "../etc"]),
        *(
            ("password", text)
            for text in ["", "short", "password", "12345678901", "a" * 300, "with\0null", "half\ud800"]
        ),
        *(
            ("email", text)
            for text in ["no-at-sign", "a@b", "x" * 250 + "@example.org", "a\0@example.org", "\ud800@b.org"]
        ),
    ],
)
def test_details_that_no_account_can_have_are_refused(field, value):
    with pytest.raises(InvalidDetails) as refusal:
        sign_up(**{"username": "anna", "password": PASSWORD, "now": NOON, field: value})
    assert list(refusal.value.fields) == [field]
    assert not Player.objects.filter(is_computer=False).exists()


@pytest.mark.parametrize("username", ["null", "Admin", "COMPUTER", "computer-2", "guest-12345678", "Guest-x", "yellow"])
def test_reserved_usernames_are_refused_in_any_case(username):
    with pytest.raises(InvalidDetails) as refusal:
        sign_up(username=username, password=PASSWORD, now=NOON)
    assert refusal.value.fields == {"username": ["This username is reserved."]}


def test_any_number_of_players_have_no_email(anna):
    for username in ("piotr", "carla"):
        sign_up(username=username, password=PASSWORD, now=NOON)
    assert Player.objects.filter(email="", is_computer=False).count() == 2


def test_the_database_itself_refuses_the_same_username_in_another_case(anna):
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(username="ANNA")


def test_a_guest_who_wants_a_taken_name_stays_a_guest(anna, guest):
    with pytest.raises(AlreadyTaken):
        sign_up(username="Anna", password=PASSWORD, now=NOON, guest=guest)
    guest.refresh_from_db()
    assert guest.is_guest


def test_a_full_player_cannot_sign_up_again(anna):
    with pytest.raises(AlreadySignedUp):
        sign_up(username="anna2", password=PASSWORD, now=NOON, guest=anna)


def test_guests_have_names_of_their_own_and_no_password(db):
    guests = [create_guest(now=NOON) for _ in range(20)]
    assert len({guest.username for guest in guests}) == 20
    assert all(guest.is_guest and guest.username.startswith("guest-") for guest in guests)
    assert not any(guest.has_usable_password() for guest in guests)


def test_a_drawn_guest_name_that_somebody_has_is_drawn_again(monkeypatch, guest):
    names = iter([guest.username, "guest-another1"])
    monkeypatch.setattr("players.services.accounts.draw_guest_name", lambda: next(names))
    assert create_guest(now=NOON).username == "guest-another1"


def test_the_computer_is_made_once(db):
    first = ensure_computer(level="strong", now=NOON)
    assert (first.username, first.is_computer, first.has_usable_password()) == ("computer-strong", True, False)
    assert ensure_computer(level="strong", now=NOON).pk == first.pk


def test_a_player_is_found_in_any_case_but_not_when_inactive(anna):
    assert find_player(username="ANNA") == anna
    assert find_player(username="an\0na") is None
    Player.objects.update(is_active=False)
    assert find_player(username="anna") is None


def test_a_password_changes_only_with_the_old_one(anna):
    with pytest.raises(WrongCredentials):
        change_password(player=anna, old="wrong", new="another horse 8")
    with pytest.raises(InvalidDetails):
        change_password(player=anna, old=PASSWORD, new="short")
    change_password(player=anna, old=PASSWORD, new="another horse 8")
    assert Player.objects.get(is_computer=False).check_password("another horse 8")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_many_who_sign_up_under_one_name_at_once_exactly_one_gets_it():
    names = ["Anna", "anna"] * 4
    results = race(*[partial(sign_up, username=name, password=PASSWORD, now=NOON) for name in names])
    assert sorted(results) == ["already_taken"] * 7 + ["ok"]
    assert Player.objects.filter(is_computer=False).count() == 1
