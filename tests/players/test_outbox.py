"""The outbox: a row first, then a mail, whatever happens between."""

import smtplib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.template.loader import get_template
from kombu.exceptions import OperationalError

from players import tasks
from players.models import SWITCHES, Delivery, DeliveryState, MailKind, MailSettings, Player
from players.services import mail_writers, outbox
from players.services.mail_delivery import forget_old, give_up_old, send_due
from players.services.outbox import Letter, post, retry_deliveries
from tests.matches.test_races import race
from tests.players.conftest import NOON
from tests.players.mails import html_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


def make_player(name: str, **fields: Any) -> Player:
    fields = {"email": f"{name}@example.org", "email_confirmed_at": NOON} | fields
    return Player.objects.create(username=name, date_joined=NOON, **fields)


@pytest.fixture
def anna(db):
    return make_player("anna")


def post_letters(player: Player, *keys: str, now: datetime = NOON, kind: MailKind = MailKind.RESET) -> int:
    about = {"asked_at": (NOON + 9 * DAY).isoformat()}
    return post(letters=[Letter(player.pk, kind, key, about) for key in keys], now=now)


def send(now: datetime = NOON) -> int:
    return send_due(clock=lambda: now)


def mail_to(player: Player) -> tuple[Any, str]:
    """Send a player the only mail; return it, and its page."""
    post_letters(player, "one")
    send()
    (message,) = mail.outbox
    return message, html_of(message)


def states() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


def nothing(message: Any) -> None:
    """No trouble."""


def raising(error: BaseException) -> Callable[[Any], None]:
    def trouble(message: Any) -> None:
        raise error

    return trouble


class Server(EmailBackend):
    """A mail server that makes the trouble that a test wants before it takes a mail."""

    trouble: Callable[[Any], None] = staticmethod(nothing)
    opened = 0

    def open(self) -> bool:
        type(self).opened += 1
        return True

    def send_messages(self, messages: Any) -> int:
        for message in messages:
            type(self).trouble(message)
        return int(super().send_messages(messages))


@pytest.fixture
def make_trouble(monkeypatch, settings):
    settings.EMAIL_BACKEND = f"{__name__}.Server"
    monkeypatch.setattr(Server, "opened", 0)
    return lambda trouble: monkeypatch.setattr(Server, "trouble", staticmethod(trouble))


# --- once


def test_a_letter_that_was_posted_is_sent_once_however_often_it_is_asked_for(anna):
    post_letters(anna, "one")
    post_letters(anna, "one")
    assert [send(), send(NOON + DAY)] == [1, 0]
    assert [message.to for message in mail.outbox] == [["anna <anna@example.org>"]]
    assert states() == [DeliveryState.SENT]


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_stored_in_the_transaction_of_what_it_is_about(anna):
    with transaction.atomic():
        post_letters(anna, "one")
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_harms_nothing_and_the_sweep_sends(anna, monkeypatch):
    def fail(*args: Any, **options: Any) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", fail)
    post_letters(anna, "one")
    assert send() == 1


@pytest.mark.django_db(transaction=True)
def test_the_task_is_queued_after_the_commit(anna, monkeypatch):
    queued: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: queued.append(name))
    with transaction.atomic():
        post_letters(anna, "one")
        assert queued == []
    assert queued == [outbox.SEND_DUE]
    assert tasks.send_due_mails.name == outbox.SEND_DUE


def test_a_worker_that_dies_while_it_sends_leaves_it_to_the_next_after_a_pause(anna, make_trouble):
    post_letters(anna, "one")
    make_trouble(raising(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        send()
    make_trouble(nothing)
    assert [send(NOON + MINUTE), send(NOON + 2 * MINUTE), send(NOON + DAY)] == [0, 1, 0]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_time_send_each_mail_once(anna):
    post_letters(anna, *(f"letter {number}" for number in range(40)))
    sent: list[int] = []
    assert race(*[lambda: sent.append(send())] * 4) == ["ok"] * 4
    assert sum(sent) == 40
    numbers = [message.extra_headers["Message-ID"] for message in mail.outbox]
    assert len(numbers) == len(set(numbers)) == 40


def test_a_full_batch_asks_for_another_one(anna, monkeypatch):
    queued: list[str] = []
    post_letters(anna, "one", "two", "three")
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: queued.append(name))
    assert [send_due(clock=lambda: NOON, limit=2), len(queued)] == [2, 1]
    assert [send_due(clock=lambda: NOON, limit=2), len(queued)] == [1, 1]


# --- trouble


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(),
        TimeoutError(),
        smtplib.SMTPServerDisconnected(),
        smtplib.SMTPAuthenticationError(535, b"wrong password"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_dead_server_is_tried_once_a_minute_and_all_is_sent_when_it_lives(anna, make_trouble, error):
    post_letters(anna, *(f"letter {number}" for number in range(5)))
    make_trouble(raising(error))
    assert [send() for _ in range(3)] == [0, 0, 0]
    assert Server.opened == 1
    assert sorted(Delivery.objects.values_list("attempts", flat=True)) == [0, 0, 0, 0, 1]
    assert type(error).__name__ in Delivery.objects.get(attempts=1).last_error
    cache.clear()
    make_trouble(nothing)
    assert send(NOON + 2 * MINUTE) == 5


def test_an_email_that_is_refused_for_good_is_given_up_and_stops_no_other(anna, make_trouble):
    def refuse(message: Any) -> None:
        if "anna" in message.to[0]:
            raise smtplib.SMTPRecipientsRefused({"anna@example.org": (550, b"no such user")})

    make_trouble(refuse)
    post_letters(anna, "one")
    post_letters(make_player("piotr"), "two")
    assert send() == 1
    assert states() == [DeliveryState.FAILED, DeliveryState.SENT]
    assert "no such user" in Delivery.objects.get(player=anna).last_error


@pytest.mark.parametrize(
    ("reply", "bounces"),
    [
        ((550, b"no such user"), True),
        ((550, b"5.1.1 no such user"), True),
        ((554, b"5.7.1 your host is on a list"), False),
        ((451, b"later"), False),
    ],
)
def test_an_email_that_nobody_has_gets_no_more_mail_until_it_is_confirmed(anna, make_trouble, reply, bounces):
    # The key is what Django hands to smtplib: a name, and the e-mail.
    make_trouble(raising(smtplib.SMTPRecipientsRefused({"anna <anna@example.org>": reply})))
    piotr = make_player("piotr")
    post_letters(anna, "one")
    send()
    anna.refresh_from_db()
    assert (anna.email_bounced_at, anna.email_confirmed_at) == ((NOON, None) if bounces else (None, NOON))
    assert [post_letters(anna, "two"), post_letters(piotr, "three")] == [int(not bounces), 1]


def test_an_email_that_is_refused_for_now_is_tried_again(anna, make_trouble):
    make_trouble(raising(smtplib.SMTPRecipientsRefused({"anna@example.org": (451, b"later")})))
    post_letters(anna, "one")
    assert [send(), states()] == [0, [DeliveryState.PENDING]]
    make_trouble(nothing)
    assert send(NOON + 2 * MINUTE) == 1


def test_a_mail_that_cannot_be_written_stops_no_other(anna, monkeypatch):
    write = mail_writers._WRITERS[MailKind.RESET]

    def fail(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
        return {0: None}[1] if player == anna else write(player, about, now)

    monkeypatch.setitem(mail_writers._WRITERS, MailKind.RESET, fail)
    post_letters(anna, "one")
    post_letters(make_player("piotr"), "two")
    assert send() == 1
    assert states() == [DeliveryState.PENDING, DeliveryState.SENT]
    assert Delivery.objects.get(player=anna).last_error == "KeyError: 1"


def test_pauses_grow_and_after_three_days_a_mail_is_given_up(anna, make_trouble):
    make_trouble(raising(ConnectionRefusedError()))
    post_letters(anna, "one")
    now, pauses = NOON, []
    while not give_up_old(now=now):
        cache.clear()
        send(now)
        after = Delivery.objects.get().next_attempt_at
        pauses.append((after - now) // MINUTE)
        now = after
    assert pauses[:7] == [2, 5, 15, 60, 180, 360, 360]
    assert 3 * DAY <= now - NOON <= 3 * DAY + timedelta(hours=6)
    assert states() == [DeliveryState.FAILED]


def test_a_delivery_that_was_given_up_can_be_tried_again_and_one_that_was_sent_cannot(anna):
    post_letters(anna, "one", "two")
    Delivery.objects.filter(key="one").update(state=DeliveryState.FAILED, done_at=NOON)
    Delivery.objects.filter(key="two").update(state=DeliveryState.SENT, done_at=NOON)
    ids = list(Delivery.objects.values_list("pk", flat=True))
    later = NOON + 5 * DAY
    assert [retry_deliveries(ids=ids, now=later), give_up_old(now=later), send(later)] == [1, 0, 1]


def test_mails_that_are_done_with_are_forgotten_after_a_month(anna):
    post_letters(anna, "one")
    send()
    post_letters(anna, "two", now=NOON + 5 * DAY)
    assert [forget_old(now=NOON + 29 * DAY), forget_old(now=NOON + 30 * DAY)] == [0, 1]
    assert Delivery.objects.get().key == "two"


# --- who gets what


@pytest.mark.parametrize(
    "fields",
    [{"email_confirmed_at": None}, {"is_active": False}, {"is_computer": True}],
    ids=lambda fields: next(iter(fields)),
)
def test_only_confirmed_emails_of_active_people_get_mail(db, fields):
    assert post_letters(make_player("piotr", **fields), "one") == 0
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("kind", MailKind)
def test_every_kind_has_a_writer_and_a_template(kind):
    # As a worker does when it starts.
    current_app.loader.import_default_modules()
    assert kind in mail_writers._WRITERS
    assert get_template(f"mail/{kind}.txt")


@pytest.mark.parametrize(("kind", "switch"), SWITCHES.items())
def test_a_kind_that_is_switched_off_is_not_posted_and_the_others_are(anna, kind, switch):
    MailSettings.objects.create(player=anna, **{switch: False})
    assert {each: post_letters(anna, each, kind=each) for each in MailKind} == {
        each: int(each != kind) for each in MailKind
    }


def test_a_letter_that_is_switched_off_between_the_row_and_the_mail_is_dropped(anna):
    post_letters(anna, "one", kind=MailKind.TURN)
    MailSettings.objects.create(player=anna, turns=False)
    assert [send(), states()] == [0, [DeliveryState.DROPPED]]


@pytest.mark.parametrize("number", [1, 3])
def test_posting_costs_the_same_for_one_and_for_many(anna, number, django_assert_num_queries):
    keys = [str(key) for key in range(number)]
    with transaction.atomic(), django_assert_num_queries(2):
        post_letters(anna, *keys)
    assert Delivery.objects.count() == number


# --- what a mail looks like


def test_a_mail_is_text_and_page_in_the_language_of_its_player(anna, settings):
    settings.SITE_URL = "https://play.example.org"
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    MailSettings.objects.create(player=anna, language="de")
    message, page = mail_to(anna)
    assert '<html lang="de">' in page
    assert message.body.startswith("Hello anna,\n\n")
    assert "\n\n\n" not in message.body
    assert 'href="https://play.example.org/choose-password/' in page
    assert message.extra_headers["Message-ID"] == f"<delivery-{Delivery.objects.get().pk}@play.example.org>"


def test_a_mail_to_a_player_whose_language_is_not_offered_is_in_english(anna):
    MailSettings.objects.create(player=anna, language="de")
    assert '<html lang="en">' in mail_to(anna)[1]


def test_no_text_becomes_a_header_or_markup(anna, monkeypatch):
    facts = {"link": "<script>alert(1)</script>\x07\ufffe\nBcc: eve@example.org", "hours": 24}
    monkeypatch.setitem(mail_writers._WRITERS, MailKind.RESET, lambda player, about, now: facts)
    message, page = mail_to(anna)
    assert "<script>" not in page
    assert not {"\x07", "\ufffe"} & {*page, *message.body}
    assert "&lt;script&gt;" in page
    assert message.recipients() == ["anna <anna@example.org>"]
    assert message.message()["Bcc"] is None
