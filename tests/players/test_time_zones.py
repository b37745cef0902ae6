"""The time zone of a player, in the profile, over the API and in mails."""

from datetime import UTC, datetime

import pytest
from django.core import mail

from players.models import MailKind, MailSettings
from players.services.mail_delivery import send_due
from players.services.mail_writers import _WRITERS, writes
from players.services.outbox import Letter, post
from tests.players.conftest import NOON, client_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("", "28 Mar 2027, 01:30 UTC"),
        ("Europe/Prague", "28 Mar 2027, 03:30 CEST"),
        ("America/Lima", "27 Mar 2027, 20:30 -05"),
        ("Lost/Zone", "28 Mar 2027, 01:30 UTC"),
    ],
)
def test_mails_show_times_in_the_zone_of_their_player(confirmed, monkeypatch, zone, words):
    monkeypatch.setitem(_WRITERS, MailKind.TURN, None)
    deadline = datetime(2027, 3, 28, 1, 30, tzinfo=UTC)
    entry = {"title": "StreetSoccer", "opponent": "piotr", "deadline": deadline, "left": "1 h", "link": "/"}
    writes(MailKind.TURN)(lambda *_: {"matches": [entry], "first": entry})
    type(confirmed).objects.filter(pk=confirmed.pk).update(time_zone=zone)
    post(letters=[Letter(confirmed.pk, MailKind.TURN, "turn:1", {})], now=NOON)
    send_due(clock=lambda: NOON)
    (message,) = mail.outbox
    assert f"until {words}." in message.body


def test_the_hour_of_the_daily_mail_is_that_of_the_zone_and_goes_with_it(browser, anna):
    hours: list[str] = []
    for zone in ("Asia/Tokyo", "Asia/Kolkata"):
        browser.post("/profile/time-zone/", {"time_zone": zone})
        if not hours:
            browser.post("/profile/mail/", {"turns": "on", "turns_daily_at": "9"})
        hours.append(MailSettings.objects.get(player=anna).next_daily_at.strftime("%H:%M"))
    assert hours == ["00:00", "03:30"]


def test_a_zone_is_chosen_by_its_name_on_the_profile_and_over_the_api(browser, api, anna):
    assert browser.post("/profile/time-zone/", {"time_zone": "Europe/Prague"}).status_code == 302
    anna.refresh_from_db()
    assert anna.time_zone == "Europe/Prague"
    assert browser.post("/profile/time-zone/", {"time_zone": "Europe/Kickabout"}).status_code == 400
    program = client_of(anna, type(api))
    assert program.patch("/api/v1/players/me/", {"time_zone": "Asia/Tokyo"}).json()["time_zone"] == "Asia/Tokyo"
    refused = program.patch("/api/v1/players/me/", {"time_zone": "../../etc/passwd"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["time_zone"])
