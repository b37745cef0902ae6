"""The owner of an account hears of a new password, whatever door it was changed by."""

import getpass
import re

import pytest
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from players.models import Player
from players.services.mail_delivery import send_due
from tests.players.conftest import PASSWORD

NEW = "another horse 8"


def by_profile(client, anna):
    client.force_login(anna)
    return client.post("/profile/password/", {"old": PASSWORD, "new": NEW})


def by_api(client, anna):
    client.force_login(anna)
    body = {"old": PASSWORD, "new": NEW}
    return client.put("/api/v1/players/me/password/", body, content_type="application/json")


def by_link(client, anna):
    client.post("/forgot-password/", {"email": anna.email})
    send_due(clock=timezone.now)
    link = re.search(r"http://\S+?(/choose-password/\S+)", str(mail.outbox.pop().body))
    url = client.get(link[1], follow=True).redirect_chain[-1][0]
    return client.post(url, {"new": NEW})


def by_staff(client, anna):
    boss = Player.objects.create_superuser("boss", password=PASSWORD)
    client.force_login(boss)
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    return client.post(f"/admin/players/player/{anna.pk}/password/", form)


def by_command(client, anna):
    call_command("changepassword", anna.username)


@pytest.mark.parametrize("door", [by_profile, by_api, by_link, by_staff, by_command])
def test_a_new_password_is_told_to_the_email_that_the_account_had(client, confirmed, monkeypatch, door):
    monkeypatch.setattr(getpass, "getpass", lambda prompt="": NEW)
    door(client, confirmed)
    confirmed.refresh_from_db()
    assert confirmed.check_password(NEW)
    Player.objects.filter(pk=confirmed.pk).update(email="thief@example.org")
    send_due(clock=timezone.now)
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["anna <anna@example.org>"], "Your password has been changed")
    ]


def test_nobody_is_told_who_has_confirmed_no_email(client, anna):
    assert by_profile(client, anna).status_code == 302
    send_due(clock=timezone.now)
    assert "Your password has been changed" not in [letter.subject for letter in mail.outbox]
