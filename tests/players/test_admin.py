"""Accounts in the admin: who may change whom, and how they are found."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Delivery, MailKind, MailSettings, Player
from players.services import create_token
from tests.matches.play import begin_match
from tests.players.conftest import NOON, PASSWORD
from tests.tournaments.verbs import make_players

PLAYERS = "/admin/players/player/"


@pytest.fixture
def helper(client, anna):
    """Return a client of staff who may see and change players, but are no superusers."""
    helper = Player.objects.create(username="helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__in=["view_player", "change_player"]))
    client.force_login(helper)
    return client


def test_nobody_but_a_superuser_gives_powers(helper, anna):
    sent = {"username": "anna", "email": "new@example.org", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    assert helper.post(f"{PLAYERS}{anna.pk}/change/", sent).status_code == 302
    anna.refresh_from_db()
    assert (anna.email, anna.is_staff, anna.is_superuser) == ("new@example.org", False, False)


def test_an_account_that_exists_becomes_neither_a_computer_nor_a_guest(client, anna, boss):
    client.force_login(boss)
    sent = {"username": "annika", "is_active": "on", "is_computer": "on", "is_guest": "on"}
    assert client.post(f"{PLAYERS}{anna.pk}/change/", sent).status_code == 302
    anna.refresh_from_db()
    assert (anna.username, anna.is_computer, anna.is_guest) == ("annika", False, False)


def test_an_email_that_staff_has_changed_is_to_be_confirmed(helper, anna):
    Player.objects.filter(pk=anna.pk).update(email_confirmed_at=NOON)
    MailSettings.objects.filter(player=anna).update(language="de")
    Delivery.objects.all().delete()
    sent = {"username": "anna", "email": "new@example.org", "is_active": "on"}
    helper.post(f"{PLAYERS}{anna.pk}/change/", sent)
    anna.refresh_from_db()
    assert (anna.email, anna.email_confirmed_at) == ("new@example.org", None)
    assert Delivery.objects.get(kind=MailKind.NEW_EMAIL).about == {"to": "anna@example.org", "new": "new@example.org"}
    posted = Delivery.objects.exclude(kind=MailKind.NEW_EMAIL).get()
    assert (posted.player, posted.kind, posted.about) == (anna, MailKind.CONFIRMATION, {"email": "new@example.org"})
    assert MailSettings.objects.get(player=anna).language == "de"


@pytest.mark.parametrize(("email", "confirmed"), [("anna@example.org", NOON), ("", None)])
def test_the_same_email_stays_confirmed_and_none_is_asked_to_confirm(helper, anna, email, confirmed):
    Player.objects.filter(pk=anna.pk).update(email_confirmed_at=NOON)
    Delivery.objects.all().delete()
    helper.post(f"{PLAYERS}{anna.pk}/change/", {"username": "annika", "email": email, "is_active": "on"})
    anna.refresh_from_db()
    assert (anna.username, anna.email, anna.email_confirmed_at) == ("annika", email, confirmed)
    assert not Delivery.objects.filter(kind=MailKind.CONFIRMATION).exists()


@pytest.mark.parametrize("page", ["change/", "password/"])
def test_nobody_but_a_superuser_changes_a_superuser(helper, page, boss):
    sent = {
        "username": "boss",
        "password1": "another horse 8",
        "password2": "another horse 8",
        "usable_password": "true",
    }
    assert helper.post(f"{PLAYERS}{boss.pk}/{page}", sent).status_code == 403
    boss.refresh_from_db()
    assert boss.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("term", "found"),
    [
        ("ANNA", ["hannah_9", "anna"]),
        ("nah_", ["hannah_9"]),
        ("n%a", []),
        ("an", []),
        ("Anna@Example.org", ["anna"]),
        ("@", []),
    ],
)
@pytest.mark.postgresql
def test_players_are_found_by_any_part_of_their_names_and_by_whole_emails(helper, term, found):
    Player.objects.filter(username="anna").update(is_active=False)
    Player.objects.create(username="hannah_9")
    assert [str(each) for each in helper.get(PLAYERS, {"q": term}).context["cl"].result_list] == found


def test_what_belongs_to_players_is_found_by_a_part_of_a_name_too(client, anna, boss, monkeypatch):
    monkeypatch.setattr("players.admin.lists.MAX_PLAYERS", 2)
    for player in (anna, *(Player.objects.create(username=f"hannah-{number}") for number in range(3))):
        create_token(player=player, name="bot", scopes=["read"], now=NOON)
    client.force_login(boss)
    found = {
        term: client.get("/admin/players/apitoken/", {"q": term}).context["cl"].result_list
        for term in ("nah-1", "anna", "nobody")
    }
    names = {term: [str(each.player) for each in rows] for term, rows in found.items()}
    assert names == {"nah-1": ["hannah-1"], "anna": ["hannah-2", "anna"], "nobody": []}


def test_the_admin_has_no_log_in_of_its_own(client, boss):
    answer = client.post("/admin/login/?next=/admin/players/", {"username": "boss", "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/log-in/?next=/admin/players/")
    assert client.get("/admin/").status_code == 302


def test_the_page_that_deletes_a_player_does_not_read_what_was_played(client, anna, boss):
    client.force_login(boss)
    numbers = []
    for matches in (1, 3):
        for opponent in make_players(matches, prefix=f"opponent-{matches}"):
            begin_match(anna, opponent)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"{PLAYERS}{anna.pk}/delete/").status_code == 200
        numbers.append(len(queries))
    assert numbers[0] == numbers[1]
    assert client.post(f"{PLAYERS}{anna.pk}/delete/", {"post": "yes"}).status_code == 302
    assert Player.objects.get(pk=anna.pk).erased_at is not None
