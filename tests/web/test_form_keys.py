"""Forms that make rows: however often and at how many moments the same page is sent, it is done once."""

import re
from copy import deepcopy
from threading import Barrier, Thread
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import resolve

from matches.models import Match, Seek
from players.models import Player
from tests.permissions.rows import ROLES
from tests.permissions.test_budgets import INSERT
from tests.permissions.test_permissions import TABLE, client_of, whoever_may
from tests.permissions.world import make_world
from tournaments.models import Cup, LogEntry, Note, Team
from web.pages.form_keys import FORM_KEY

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
FORM = re.compile(r"<form([^>]*)>(.*?)</form>", re.DOTALL)


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
    answers = send_at_once(clients, "/make/knock-out/", kept)
    assert Cup.objects.filter(name="Spring").count() == 1
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, "/cups/spring/organise/")}


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_visitor_who_begins_three_times_at_once_is_one_guest_with_one_match() -> None:
    clients = [Client() for _ in range(3)]
    sent = sent_by(clients[0], "/", {"game": "streetsoccer-board"})
    for client in clients[1:]:
        client.cookies = deepcopy(clients[0].cookies)
    answers = send_at_once(clients, "/play/", sent)
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [
        (302, Match.objects.get().get_absolute_url())
    ] * 3
    assert {int(get_user(client).pk) for client in clients} == {Player.objects.get(is_guest=True).pk}
    # Another browser is another guest, and so is one whose guest has an account by now: that wants its password.
    assert (other := Client()).post("/play/", sent).status_code == 302
    other = Client()
    other.cookies[settings.CSRF_COOKIE_NAME] = answers[0].wsgi_request.COOKIES[settings.CSRF_COOKIE_NAME]
    Player.objects.filter(is_guest=True).update(is_guest=False)
    assert other.post("/play/", sent).status_code == 302
    assert Match.objects.count() == 3


def send_at_once(clients: list[Client], url: str, sent: dict[str, str]) -> list[Any]:
    """Return the answers to a form that several clients send at the same moment."""
    together, answers = Barrier(len(clients)), []

    def send(client: Client) -> None:
        together.wait()
        try:
            answers.append(client.post(url, sent))
        finally:
            connection.close()

    threads = [Thread(target=send, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


ANOTHER_SECRET = "Each answer shows a secret of its own, which is not kept; what nobody has seen can be revoked."
WITHOUT_KEY = {"profile/tokens/": ANOTHER_SECRET, "profile/calendar/": ANOTHER_SECRET}


@pytest.mark.django_db
def test_a_form_that_makes_more_rows_each_time_carries_a_key() -> None:
    world = make_world()
    clients = {role: client_of(role) for role in ROLES}
    inserted: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        inserted.extend(set(INSERT.findall(sql)) - {"django_session"})
        return execute(sql, params, many, context)

    repeated = set()
    for method, route in TABLE:
        if method != "POST" or route.startswith(("admin/", "api/")):
            continue
        with transaction.atomic(), connection.execute_wrapper(watch):
            client = deepcopy(clients[whoever_may(method, route)])
            for _ in range(2):
                cache.clear()
                inserted.clear()
                answer = client.post(world.fill(route), world.body(route))
            transaction.set_rollback(True)
        if inserted and answer.status_code < 400:
            repeated.add(route)
    shown: dict[str, list[str]] = {}
    for method, route in TABLE:
        if method != "GET" or route.startswith(("admin/", "api/")):
            continue
        for role in ("anna", "olga"):
            response = clients[role].get(url := world.fill(route))
            if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
                for attributes, content in FORM.findall(response.content.decode()):
                    action = re.search(r'action="([^"?]*)', attributes)
                    shown.setdefault(resolve(action[1] if action else url).route, []).append(content)
    assert repeated >= {"play/", "seeks/", "cups/<slug:slug>/organise/<slug:action>/"}
    assert {route for route in repeated if not all(FORM_KEY in form for form in shown[route])} == WITHOUT_KEY.keys()
