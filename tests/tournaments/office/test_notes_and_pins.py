"""Announcements, pins and notes of organisers are seen by the right readers, and there can be only so many of them."""

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.tournaments.verbs import NOON, last_log, make_cup, make_ladder, start_cup, withdraw
from tournaments.decisions.services.status import announce
from tournaments.desk.acts import COMPETITION, acts_on
from tournaments.models import Competition, CompetitionStatus, LogEntry
from tournaments.models.rights import RIGHTS, Role

pytestmark = pytest.mark.django_db

API = "/api/v1/competitions/cup/"


@pytest.fixture
def cup(olga):
    return make_cup(organiser=olga)


@pytest.fixture
def client(client_of, olga):
    return client_of(olga)


def send(client, method, path, body=None):
    return getattr(client, method)(path, body or {}, content_type="application/json")


def test_an_announcement_is_pinned_to_the_page_until_it_is_unpinned(client, cup, olga):
    line = announce(competition_id=cup.pk, actor=olga, text="Kick-off at eight", now=NOON)
    page, base = "/cups/cup/", f"/cups/cup/organise/announcements/{line.pk}/"
    pinned = 'class="panel pinned"'
    assert pinned not in client.get(page).content.decode()
    assert f"{base}pin/" in client.get("/cups/cup/organise/").content.decode()
    assert client.post(f"{base}pin/").url == "/cups/cup/organise/"
    shown = Client().get(page).content.decode()
    assert (shown.count(pinned), "Kick-off at eight" in shown) == (1, True)
    (told, *_others) = client.get(f"{API}log/").json()["results"]
    assert (told["id"], told["is_pinned"]) == (line.pk, True)
    assert client.post(f"{base}unpin/").url == "/cups/cup/organise/"
    assert pinned not in Client().get(page).content.decode()


def test_the_api_pins_again_without_effect_up_to_the_limit(client, cup, olga, settings):
    settings.MAX_PINNED_ANNOUNCEMENTS = 1
    first, second = (announce(competition_id=cup.pk, actor=olga, text=text, now=NOON) for text in ("One", "Two"))
    for _again in range(2):
        assert send(client, "post", f"{API}announcements/{first.pk}/pin/").json()["is_pinned"] is True
    refused = send(client, "post", f"{API}announcements/{second.pk}/pin/")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_pinned")
    assert send(client, "post", f"{API}announcements/{first.pk}/unpin/").json()["is_pinned"] is False
    assert send(client, "post", f"{API}announcements/{second.pk}/pin/").status_code == 200


def test_only_announcements_of_the_same_competition_are_pinned(client, cup, olga):
    other = make_ladder()
    elsewhere = announce(competition_id=other.pk, actor=Player(pk=olga.pk, is_superuser=True), text="x", now=NOON)
    opened = LogEntry.objects.create(competition=cup, action="opened", logged_at=NOON)
    for line in (elsewhere, opened):
        assert send(client, "post", f"{API}announcements/{line.pk}/pin/").status_code == 404


def test_something_is_announced_after_the_end_too(client, cup):
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.FINISHED)
    cup.refresh_from_db()
    assert [act.name for act in acts_on(COMPETITION, cup, cup, RIGHTS[Role.ORGANISER])] == ["announce"]
    client.post("/cups/cup/organise/announce/", {"text": "Thanks to all!"})
    assert last_log(cup) == ("olga", "announced", "", "Thanks to all!")


def test_notes_are_read_by_organisers_alone(client, client_of, cup, otto):
    assert client.post("/cups/cup/organise/notes/", {"text": "Ask carla for the trophy"}).status_code == 302
    for path in ("/cups/cup/organise/", "/cups/cup/organise/notes/"):
        assert "Ask carla for the trophy" in client.get(path).content.decode()
    (note,) = client.get(f"{API}notes/").json()["results"]
    assert (note["author"], note["text"]) == ("olga", "Ask carla for the trophy")
    stranger = client_of(otto)
    assert stranger.get("/cups/cup/organise/notes/").status_code == 403
    assert stranger.get(f"{API}notes/").status_code == 403
    for path in ("/cups/cup/", "/cups/cup/log/", f"{API}log/", API):
        assert "trophy" not in stranger.get(path).content.decode()


def test_any_organiser_deletes_a_note(client, cup, boss, client_of):
    note = send(client_of(boss), "post", f"{API}notes/", {"text": "One"}).json()
    assert send(client, "delete", f"{API}notes/{note['id']}/").status_code == 204
    assert send(client, "delete", f"{API}notes/{note['id']}/").status_code == 404
    client.post("/cups/cup/organise/notes/", {"text": "Two"})
    assert client.post(f"/cups/cup/organise/notes/{cup.notes.get().pk}/delete/").status_code == 302
    assert not cup.notes.exists()


def test_notes_are_bounded(client, cup, settings):
    settings.MAX_ORGANISER_NOTES = 1
    client.post("/cups/cup/organise/notes/", {"text": "One"})
    refused = client.post("/cups/cup/organise/notes/", {"text": "Two"})
    assert (refused.status_code, "Delete one first." in refused.content.decode()) == (409, True)
    assert send(client, "post", f"{API}notes/", {"text": "Two"}).json()["code"] == "too_many_notes"
    assert send(client, "post", f"{API}notes/", {"text": "x" * 2001}).status_code == 400


def test_counts_say_entered_and_still_in(client, olga):
    _cup, entries = start_cup(4, organiser=olga)
    assert "4 players" in " ".join(client.get("/cups/cup/").content.decode().split())
    withdraw(entries[0], by=olga, now=timezone.now(), reason="Ill.")
    for path in ("/cups/cup/", "/cups/cup/organise/"):
        assert "4 entered, 3 still in" in " ".join(client.get(path).content.decode().split())
    told = client.get(API).json()
    assert (told["entered"], told["entrants"]) == (4, 3)
