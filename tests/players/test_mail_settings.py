"""Confirming e-mails, mail settings, and links in mails."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from players.errors import InvalidLink, NoEmailToConfirm
from players.mail_links import ALL_SWITCHES, switch_off_link
from players.models import SWITCHES, Delivery, MailKind, MailSettings, Player
from players.presence import present_among
from players.services import change_email, confirm_email, mail_writers, request_confirmation, sign_up
from players.services.mail_delivery import send_due
from players.services.outbox import Letter, post
from tests.players.conftest import NOON, PASSWORD
from web.errors import TooManyAttempts

pytestmark = pytest.mark.django_db

SITE = "http://127.0.0.1:8000"


def link_in_mail() -> str:
    """Return the path of the confirming link in the last mail that is sent now."""
    send_due(clock=timezone.now)
    found = re.search(rf"{SITE}(/mail/confirm/\S+)", str(mail.outbox[-1].body))
    assert found, mail.outbox[-1].body
    return found[1]


def is_confirmed() -> bool:
    return Player.objects.get(username="anna").email_confirmed_at is not None


def test_signing_up_sends_a_link_and_looking_at_it_confirms_nothing(client, anna):
    link = link_in_mail()
    assert client.get(link).status_code == 200
    assert not is_confirmed()
    response = client.post(link)
    assert (response.status_code, response.context["done"]) == (200, "anna@example.org")
    assert is_confirmed()
    assert client.post(link).status_code == 200


def test_the_mail_says_how_long_its_link_works(anna, monkeypatch):
    send_due(clock=lambda: NOON)
    assert str(mail.outbox[-1].body).count("\nThe link works for 7 days.\n") == 1
    monkeypatch.setattr("players.services.email_confirmations.CONFIRMATION_LASTS", timedelta(days=1))
    change_email(player=anna, email="new@example.org", now=NOON)
    send_due(clock=lambda: NOON)
    assert str(mail.outbox[-1].body).count("\nThe link works for 1 day.\n") == 1


def test_a_link_is_for_its_email_only(client, anna):
    link = link_in_mail()
    change_email(player=anna, email="new@example.org", now=NOON)
    assert client.post(link).status_code == 404
    assert client.post(link_in_mail()).status_code == 200


def test_a_link_is_good_for_a_week(client, anna, time_machine):
    time_machine.move_to(NOON)
    link = link_in_mail()
    time_machine.move_to(NOON + timedelta(days=7, seconds=2))
    assert client.post(link).status_code == 404
    assert not is_confirmed()


@pytest.mark.parametrize("token", ["x", "a:b:c", "😀", "x" * 3000])
def test_links_that_are_not_ours_are_refused_politely(client, token):
    for url in (f"/mail/confirm/{token}/", f"/mail/off/{token}/"):
        assert client.post(url).status_code == 404
    with pytest.raises(InvalidLink):
        confirm_email(token=token, now=NOON)


def test_another_email_is_to_be_confirmed_anew_and_the_same_one_is_not(anna):
    Player.objects.update(email_confirmed_at=NOON)
    anna.refresh_from_db()
    change_email(player=anna, email="anna@example.org", now=NOON)
    assert is_confirmed()
    change_email(player=anna, email="new@example.org", now=NOON + timedelta(minutes=1))
    assert not is_confirmed()
    assert Delivery.objects.filter(kind=MailKind.CONFIRMATION).count() == 2


def test_confirmations_cannot_be_used_to_flood_somebody(anna):
    for minute in range(4):  # The first mail went out at the sign-up.
        request_confirmation(player=anna, now=NOON + timedelta(minutes=minute))
    with pytest.raises(TooManyAttempts):
        request_confirmation(player=anna, now=NOON)


def test_a_confirmed_email_needs_no_other_confirmation(anna):
    anna.email_confirmed_at = NOON
    with pytest.raises(NoEmailToConfirm):
        request_confirmation(player=anna, now=NOON)


def test_the_profile_says_that_an_email_is_to_be_confirmed(browser):
    assert b"not confirmed yet" in browser.get("/profile/").content
    assert browser.post("/profile/email/confirmation/").status_code == 302
    Player.objects.update(email_confirmed_at=NOON)
    assert b"not confirmed yet" not in browser.get("/profile/").content
    assert browser.post("/profile/email/confirmation/").status_code == 409


def test_without_an_email_nothing_is_sent(db):
    sign_up(username="piotr", password=PASSWORD, now=NOON)
    assert not Delivery.objects.exists()


def test_kinds_and_hours_are_chosen_on_the_profile(browser, anna):
    wishes = {"turns": "on", "deadlines": "on", "turns_daily_at": "7", "reminder_hours": ["2", "48"]}
    assert browser.post("/profile/mail/", wishes).status_code == 302
    chosen = MailSettings.objects.get(player=anna)
    assert (chosen.turns, chosen.deadlines, chosen.ends, chosen.competitions) == (True, True, False, False)
    assert (chosen.turns_daily_at, chosen.reminder_hours) == (7, [48, 2])
    assert chosen.next_daily_at.hour == 7
    assert browser.post("/profile/mail/", {"reminder_hours": ["5"]}).status_code == 400


def test_kinds_and_hours_are_chosen_over_the_api(client, anna):
    client.force_login(anna)
    usual = dict.fromkeys(SWITCHES.values(), True) | {"turns_daily_at": None, "reminder_hours": [24, 4]}
    url = "/api/v1/players/me/mail/"
    assert client.get(url).json() == usual
    wishes = {"competitions": False, "turns_daily_at": 0}
    changed = client.patch(url, wishes | {"reminder_hours": [1, 72, 1]}, content_type="application/json")
    assert changed.json() == usual | wishes | {"reminder_hours": [72, 1]}
    for wrong in ({"reminder_hours": [3]}, {"turns_daily_at": 24}):
        refused = client.patch(url, wrong, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid")


@pytest.mark.parametrize("kind", MailKind)
def test_a_mail_carries_what_programs_need_to_stop_its_kind_or_all(confirmed, monkeypatch, kind):
    post(letters=[Letter(confirmed.pk, kind, "one", {})], now=NOON)
    link = switch_off_link(confirmed.pk, kind if kind in SWITCHES else ALL_SWITCHES)
    facts = {"matches": [], "first": {}, "days": 7, "hours": 24}
    monkeypatch.setitem(mail_writers._WRITERS, kind, lambda *given: facts)
    mail.outbox.clear()
    send_due(clock=lambda: NOON)
    headers = mail.outbox[0].message()
    assert headers["List-Unsubscribe"] == f"<{link}>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in mail.outbox[0].body


def test_one_click_switches_a_kind_off_without_logging_in(anna):
    path = switch_off_link(anna.pk, MailKind.TURN).removeprefix(SITE)
    program = Client(enforce_csrf_checks=True)
    page = program.get(path)
    assert (page.status_code, page.content.decode().count("<form")) == (200, 1)
    assert MailSettings.objects.get(player=anna).turns
    assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    chosen = MailSettings.objects.get(player=anna)
    assert (chosen.turns, chosen.deadlines, chosen.ends, chosen.competitions) == (False, True, True, True)


def test_the_link_of_mails_about_the_account_switches_all_other_mail_off(anna):
    path = switch_off_link(anna.pk, ALL_SWITCHES).removeprefix(SITE)
    program = Client(enforce_csrf_checks=True)
    assert "about everything except my account" in program.get(path).content.decode()
    assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    chosen = MailSettings.objects.get(player=anna)
    assert {name for name in SWITCHES.values() if getattr(chosen, name)} == set()


def test_the_profile_asks_to_confirm_an_email_again_from_which_mails_came_back(browser, client, anna):
    confirm = link_in_mail()
    browser.post(confirm)
    for _ in range(2):
        call_command("mark_bounced", "ANNA@example.org", "nobody@example.org", stdout=StringIO())
    assert b"Mails to anna@example.org came back" in browser.get("/profile/").content
    assert browser.get("/api/v1/players/me/").json()["email_bounced"] is True
    assert browser.post("/profile/email/confirmation/").status_code == 302
    assert client.post(link_in_mail()).status_code == 200
    anna.refresh_from_db()
    assert (anna.email_confirmed_at is None, anna.email_bounced_at) == (False, None)
    assert b"came back" not in browser.get("/profile/").content


def test_a_link_switches_off_nothing_that_is_not_meant_to_be(anna):
    path = switch_off_link(anna.pk, MailKind.RESET).removeprefix(SITE)
    assert Client().post(path).status_code == 404


def test_a_player_who_looks_at_a_page_is_present_and_a_player_who_follows_one_is_not(browser, anna):
    browser.get("/profile/", headers={"If-None-Match": '"x"'})
    browser.get("/profile/", headers={"X-Unattended": "1"})
    browser.get("/api/v1/competitions/", headers={"Accept": "text/event-stream"})
    assert present_among([anna.pk, anna.pk + 1]) == set()
    browser.get("/profile/")
    assert present_among([anna.pk, anna.pk + 1]) == {anna.pk}
