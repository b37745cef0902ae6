"""Forms that make rows: however often and at how many moments the same page is sent, it is done once."""

import re
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from matches.models import Match, Seek
from tests.permissions.test_permissions import client_of
from tests.permissions.world import make_world
from tournaments.models import Cup, LogEntry, Note, Team

SEEK = {"game": "streetsoccer-board", "colour": "random", "pace": "slow"}
COMPUTER = {"game": "streetsoccer-board", "level": "beginner", "colour": "yellow"}
SHIRT = {"pattern": "plain", "first_colour": "red", "second_colour": "white"}
OPTIONS = {
    "name": "Spring",
    "game": "streetsoccer-board",
    "pace": "normal",
    "entry": "open",
    "start": "hand",
    "seeding": "rating",
    "knock-out-legs": "2",
    "knock-out-replays": "1",
}
DESK = "/cups/cup/organise"


def sent_by(client: Client, url: str, fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with the key of the form on a page."""
    page = client.get(url).content.decode()
    keys = re.findall(r'name="form_key" value="(\w+)"', page)
    assert keys, page
    return {**fields, "form_key": keys[-1]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("model", "url", "fields"),
    [
        (Seek, "/seeks/", SEEK),
        (Match, "/play/", COMPUTER),
        (Team, "/found-team/", {"name": "Owls", **SHIRT}),
        (Cup, f"{DESK}/copy/", {"name": "Again and again"}),
        (Note, f"{DESK}/notes/", {"text": "Ask Piotr."}),
        (LogEntry, f"{DESK}/announce/", {"text": "Hello"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_form_that_is_sent_three_times_makes_one_row(model: Any, url: str, fields: dict[str, str]) -> None:
    make_world()
    client = client_of("olga")
    before = model.objects.count()
    sent = sent_by(client, url, fields)
    answers = [client.post(url, sent) for _ in range(3)]
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, answers[0]["Location"])] * 3
    assert model.objects.count() == before + 1


@pytest.mark.django_db
def test_a_page_that_is_asked_for_anew_is_another_form_and_so_is_one_with_other_values() -> None:
    make_world()
    client = client_of("olga")
    before = Seek.objects.count()
    sent = sent_by(client, "/seeks/", SEEK)
    for each in (sent, sent | {"colour": "red"}, sent_by(client, "/seeks/", SEEK), sent):
        assert client.post("/seeks/", each).status_code == 302
    assert Seek.objects.count() == before + 3


@pytest.mark.django_db
def test_a_form_with_a_fault_is_not_kept_and_browsers_can_go_back_to_it() -> None:
    make_world()
    client = client_of("olga")
    sent = sent_by(client, "/seeks/", SEEK | {"game": "chess"})
    faulty = client.post("/seeks/", sent)
    assert (faulty.status_code, faulty["Cache-Control"]) == (400, "private, max-age=0")
    before = Seek.objects.count()
    assert client.post("/seeks/", sent | {"game": "streetsoccer-board"}).status_code == 302
    assert Seek.objects.count() == before + 1


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_three_posts_of_create_at_the_same_moment_make_one_cup() -> None:
    make_world()
    clients = [client_of("olga") for _ in range(3)]
    preview = clients[0].post("/make/knock-out/", sent_by(clients[0], "/make/knock-out/", OPTIONS))
    key = re.findall(r'name="form_key" value="(\w+)"', preview.content.decode())[-1]
    kept = {**OPTIONS, "form_key": key, "keep": "1", "seen": preview.context["seen"]}
    together, answers = Barrier(3), []

    def create(client: Client) -> None:
        together.wait()
        try:
            answers.append(client.post("/make/knock-out/", kept))
        finally:
            connection.close()

    threads = [Thread(target=create, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Cup.objects.filter(name="Spring").count() == 1
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, "/cups/spring/organise/")}
