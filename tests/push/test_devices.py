"""Devices are subscribed over the API, listed and ended on the profile, and end with what they belong to."""

from functools import partial

import pytest
from django.test import Client
from django.utils import timezone

from players.services import deactivate_player, delete_account
from push.encryption import public_key_of
from push.models import PushKey, PushSettings, PushSubscription
from push.services.keys import site_key
from push.services.subscriptions import MAX_DEVICES
from tests.matches.test_races import race
from tests.push.push_service import encode

pytestmark = pytest.mark.django_db

DEVICES = "/api/v1/push-subscriptions/"
JSON = "application/json"


@pytest.fixture
def browser(anna) -> Client:
    client = Client()
    client.force_login(anna)
    return client


def test_a_device_is_listed_without_its_endpoint_and_ended_on_the_profile(browser, service):
    sent = service.add("phone").subscription
    made = browser.post(DEVICES, sent, JSON)
    assert made.status_code == 201
    assert browser.post(DEVICES, sent | {"name": "My phone"}, JSON).json()["id"] == made.json()["id"]
    (listed,) = browser.get(DEVICES).json()
    assert (listed["name"], listed["server"], listed["last_sent_at"]) == ("My phone", "127.0.0.1", None)
    assert sent["endpoint"] not in str(listed)
    page = browser.get("/profile/").text
    assert "My phone · this one" in page
    assert browser.post(f"/profile/push/{listed['id']}/end/").status_code == 302
    assert (browser.get(DEVICES).json(), browser.delete(f"{DEVICES}{listed['id']}/").status_code) == ([], 404)


def test_a_device_with_another_endpoint_keeps_its_row_and_its_name(browser, service, device_of, piotr):
    before, after = (service.add(name).subscription for name in ("old", "new"))
    made = browser.post(DEVICES, before | {"name": "My phone"}, JSON).json()
    renewed = browser.post(DEVICES, after | {"name": "Browser", "replaces": before["endpoint"]}, JSON).json()
    assert (renewed["id"], renewed["name"]) == (made["id"], "My phone")
    row = PushSubscription.objects.get()
    assert (row.endpoint, row.p256dh) == (after["endpoint"], after["keys"]["p256dh"])
    # What another player has is not replaced, and nothing is lost by an endpoint that is not known.
    foreign = device_of(piotr).subscription["endpoint"]
    browser.post(DEVICES, service.add("tablet").subscription | {"replaces": foreign}, JSON)
    assert PushSubscription.objects.count() == 3


def test_a_device_that_changes_hands_tells_its_former_player_nothing(browser, service, device_of, piotr):
    device = device_of(piotr)
    browser.post(DEVICES, device.subscription, JSON)
    assert [each.player.username for each in PushSubscription.objects.select_related("player")] == ["anna"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"endpoint": "http://push.example.org/a"}, "endpoint"),
        ({"endpoint": "https://anna:secret@push.example.org/a"}, "endpoint"),
        ({"keys": {"p256dh": encode(b"\4" + bytes(64)), "auth": encode(bytes(16))}}, "keys"),
        ({"keys": {"p256dh": "ä", "auth": "!"}}, "keys"),
        ({"name": "\u202e"}, "name"),
    ],
)
def test_what_is_no_device_is_refused(browser, service, settings, change, field):
    sent = service.add("phone").subscription | {"endpoint": "https://push.example.org/a"} | change
    settings.ALLOW_PRIVATE_ADDRESSES = False
    refused = browser.post(DEVICES, sent, JSON)
    assert (refused.status_code, list(refused.json()["errors"])) == (400, [field])


def test_the_oldest_devices_make_room_for_others(browser, service):
    for number in range(MAX_DEVICES + 2):
        browser.post(DEVICES, service.add(f"phone {number}".replace(" ", "-")).subscription, JSON)
    assert [each["name"] for each in browser.get(DEVICES).json()][-1] == "phone-2"


def test_what_is_told_is_chosen_over_the_api_and_on_the_profile(browser, anna):
    chosen = browser.patch("/api/v1/push-settings/", {"turns": False, "quiet_from": 22}, JSON).json()
    assert (chosen["turns"], chosen["matches"], chosen["quiet_from"], chosen["quiet_until"]) == (False, True, 22, None)
    assert browser.patch("/api/v1/push-settings/", {"quiet_until": 24}, JSON).status_code == 400
    wishes = {"turns": "on", "quiet_from": "22", "quiet_until": "7", "shows_names": "on"}
    browser.post("/profile/push/", {f"push-{name}": value for name, value in wishes.items()})
    kept = PushSettings.objects.get(player=anna)
    assert (kept.turns, kept.matches, kept.shows_names, kept.quiet_from, kept.quiet_until) == (True, False, True, 22, 7)


def test_a_browser_that_logs_out_is_told_nothing_more_and_others_are(browser, service, device_of, anna):
    device_of(anna)
    browser.post(DEVICES, service.add("here").subscription, JSON)
    browser.post("/log-out/")
    assert [each.name for each in PushSubscription.objects.all()] == ["anna-0"]


@pytest.mark.parametrize("close", [deactivate_player, delete_account])
def test_a_closed_account_has_no_devices(device_of, anna, calls, close):
    device_of(anna)
    PushSettings.objects.create(player=anna)
    close(player_id=anna.pk, now=timezone.now())
    assert not PushSubscription.objects.exists()
    assert PushSettings.objects.exists() is (close is deactivate_player)


def test_the_key_is_that_of_the_settings_or_else_made_once(settings):
    own = site_key()
    assert site_key() == own == PushKey.objects.get().private_key
    assert len(public_key_of(own)) == 87
    settings.VAPID_PRIVATE_KEY = "B" * 43
    assert site_key() == "B" * 43


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_hosts_that_start_at_the_same_moment_share_one_key():
    made: list[str] = []
    race(*[partial(lambda: made.append(site_key()))] * 4)
    assert set(made) == {PushKey.objects.get().private_key}
