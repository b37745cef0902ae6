"""An e-mail belongs to the player who has confirmed it. To enter it for another account reveals and harms nothing."""

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from players.errors import InvalidLink
from players.mail_links import confirmation_link
from players.models import Delivery, MailKind, Player
from players.services import change_email, confirm_email, request_confirmation, sign_up
from players.services.mail_delivery import send_due
from tests.players.conftest import NOON, PASSWORD, client_of
from web.errors import TooManyAttempts

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

KNOWN, UNKNOWN = "ANNA@example.org", "nobody@example.org"


@pytest.fixture(autouse=True)
def owner(anna):
    """Anna, with a confirmed e-mail."""
    Player.objects.filter(pk=anna.pk).update(email_confirmed_at=NOON)
    Delivery.objects.all().delete()
    cache.clear()
    return anna


def token_of(player: Player) -> str:
    return confirmation_link(player.pk, player.email).rstrip("/").rpartition("/")[-1]


def sent() -> list[tuple[list[str], str]]:
    """To whom mails are sent now, and their subjects."""
    mail.outbox.clear()
    send_due(clock=timezone.now)
    return [(message.to, str(message.subject)) for message in mail.outbox]


def test_a_player_who_types_a_foreign_email_does_not_block_its_owner():
    thief = sign_up(username="thief", password=PASSWORD, email="piotr@example.org", now=NOON)
    piotr = sign_up(username="piotr", password=PASSWORD, email="Piotr@example.org", now=NOON)
    assert confirm_email(token=token_of(piotr), now=NOON).email_confirmed_at == NOON
    with pytest.raises(InvalidLink, match="another account"):
        confirm_email(token=token_of(thief), now=NOON)
    thief.refresh_from_db()
    assert thief.email_confirmed_at is None


def test_the_database_itself_lets_an_email_be_confirmed_once_in_any_case():
    Player.objects.create(username="thief", email="anna@EXAMPLE.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(username="thief").update(email_confirmed_at=NOON)


def by_page_of_sign_up(name: str, email: str) -> Any:
    return Client().post("/sign-up/", {"username": name, "password": PASSWORD, "email": email})


def by_api_of_sign_up(name: str, email: str) -> Any:
    return APIClient().post("/api/v1/players/", {"username": name, "password": PASSWORD, "email": email})


def by_profile(name: str, email: str) -> Any:
    return client_of(Player.objects.create(username=name)).post("/profile/email/", {"email": email})


def by_api(name: str, email: str) -> Any:
    return client_of(Player.objects.create(username=name), APIClient).put("/api/v1/players/me/email/", {"email": email})


WAYS_IN = [by_page_of_sign_up, by_api_of_sign_up, by_profile, by_api]


@pytest.mark.parametrize("give_email", WAYS_IN, ids=lambda way: way.__name__)
def test_the_answer_is_the_same_whether_an_email_is_known_or_not(give_email):
    answers = []
    for name, email in (("player-1", KNOWN), ("player-2", UNKNOWN)):
        with CaptureQueriesContext(connection) as queries:
            response = give_email(name, email)
        text = re.sub(r'"date_joined":"[^"]*"', "", response.content.decode())
        answers.append((response.status_code, text.replace(name, "").replace(email, ""), len(queries)))
    assert answers[0] == answers[1]
    assert answers[0][0] in {200, 201, 302}


@pytest.mark.parametrize("give_email", WAYS_IN, ids=lambda way: way.__name__)
def test_the_owner_of_a_known_email_is_notified_and_nobody_else(give_email):
    give_email("player-1", KNOWN)
    assert sent() == [(["anna <anna@example.org>"], "You already have an account with this e-mail address")]
    body = str(mail.outbox[0].body)
    assert "player-1" in body
    assert "/forgot-password/" in body
    assert "/mail/confirm/" not in body


def test_asking_for_the_link_again_notifies_the_owner_too():
    thief = Player.objects.create(username="thief", email=KNOWN)
    request_confirmation(player=thief, now=NOON)
    assert [delivery.kind for delivery in Delivery.objects.all()] == [MailKind.KNOWN_EMAIL]


def test_mails_to_one_email_are_limited_across_accounts_and_ways_to_give_it(settings):
    settings.MAX_CONFIRMATION_MAILS = 4
    for number, give_email in enumerate(WAYS_IN):
        assert give_email(f"player-{number}", UNKNOWN).status_code < 400
    assert by_page_of_sign_up("late-1", UNKNOWN).status_code == 429
    assert by_api_of_sign_up("late-2", UNKNOWN.upper()).status_code == 429
    assert by_profile("late-3", UNKNOWN).status_code == 429
    assert by_api("late-4", UNKNOWN).status_code == 429
    with pytest.raises(TooManyAttempts, match="for this address"):
        request_confirmation(player=Player.objects.get(username="player-0"), now=NOON)
    assert Delivery.objects.count() == 4
    assert not Player.objects.filter(username__in=["late-1", "late-2"]).exists()
    assert not Player.objects.filter(username__in=["late-3", "late-4"]).exclude(email="").exists()


def test_known_emails_are_limited_alike(settings):
    settings.MAX_CONFIRMATION_MAILS = 1
    statuses = [[by_api(f"{n}-{email[:3]}", email).status_code for n in range(2)] for email in (KNOWN, UNKNOWN)]
    assert statuses == [[200, 429], [200, 429]]


def test_a_name_that_is_taken_uses_up_no_mail(settings):
    settings.MAX_CONFIRMATION_MAILS = 1
    assert by_api_of_sign_up("anna", UNKNOWN).status_code == 409
    assert by_api_of_sign_up("piotr", UNKNOWN).status_code == 201


def test_a_limit_that_refuses_another_email_leaves_the_old_one(settings, anna):
    settings.MAX_CONFIRMATION_MAILS = 0
    anna.refresh_from_db()
    with pytest.raises(TooManyAttempts):
        change_email(player=anna, email=UNKNOWN, now=NOON)
    for player in (anna, Player.objects.get(pk=anna.pk)):
        assert (player.email, player.email_confirmed_at) == ("anna@example.org", NOON)
