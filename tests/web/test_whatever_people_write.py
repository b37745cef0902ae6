"""Whatever people write into a field of a form, a body or the admin: nothing breaks, then or later, for them or others.

Every field of every form is taken from the page that shows it, every member of a body from the API's description. After
all these requests to one of them every sweep runs, and everybody's lists and pages are looked at.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from zeal import zeal_ignore

from config.schedule import SCHEDULE
from matches.models import Match
from players.models import Player
from tests.marks import nightly_rows
from tests.pages.html import as_shown
from tests.permissions.test_permissions import TABLE, client_of
from tests.permissions.world import World, make_world
from tests.web.answers.description import operations, read_description
from tests.web.hostile import SENT, WRITTEN, forms_of, members_of, with_member
from tournaments.desk.acts import ACTS
from tournaments.models import Competition, Series, Team

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("open_connection", "without_rates")]

WRITERS = ("anna", "olga")
READERS = ("visitor", "anna", "olga")
UNTOUCHED = "stan"
OWN = "players/me players/me/mail tokens vacation organised invitations role-invitations team-invitations"
OWN_LISTS = [f"/api/v1/{each}/" for each in OWN.split()]
NOT_SWEPT = {"players.tasks.clear_sessions", "matches.tasks.sweep_computers"}
LEFT_OUT = {"log-in/", "log-out/", "sign-up/", "admin/login/", "admin/logout/", "admin/password_change/"}
"""Forms about the session itself. What they take is asked for in the tests of accounts."""

FEW, MOST = 12, 30
USUAL = {
    "api/v1/competitions/",
    "api/v1/competitions/<slug:slug>/",
    "make/<slug:recipe>/",
    "profile/vacation/",
}


def routes() -> Iterator[tuple[str, str]]:
    """Yield the method and the URL of whatever takes a form or a body."""
    for method, route in TABLE:
        if method in {"POST", "PUT", "PATCH"} and route not in LEFT_OUT and "delete" not in route:
            yield method, route


ROUTES = [*((*row, FEW) for row in routes() if row[1] in USUAL), *nightly_rows((*row, MOST) for row in routes())]


@pytest.fixture(scope="module")
def world(module_transaction: None) -> World:
    """Return one for all the requests, which are undone route by route. URLs name what is there before them."""
    world = make_world()
    for _method, route in TABLE:
        world.fill(route)
    return world


@pytest.fixture(scope="module")
def clients(world: World) -> dict[str, Client]:
    made = {role: client_of(role) for role in (*READERS, UNTOUCHED, "boss")}
    for client in made.values():
        client.raise_request_exception = False
    return made


@pytest.mark.parametrize(("method", "route", "most"), ROUTES)
def test_nothing_breaks_whatever_people_write(world, clients, caplog, method, route, most):
    writers = ("boss",) if route.startswith("admin/") else WRITERS
    for writer in writers:
        # Many requests of one test look like one page with many queries.
        with zeal_ignore(), transaction.atomic():
            before = own_lists_of(clients[UNTOUCHED])
            writes = (
                bodies_of(route, method, world) if route.startswith("api/") else posts_of(route, world, clients[writer])
            )
            chosen = Random(route).sample(kept := list(writes), min(most, len(kept)))
            stored = sum(send(clients[writer], method, url, body) for url, body in chosen)
            if stored:
                sweep()
                look_around(clients, world)
                assert own_lists_of(clients[UNTOUCHED]) == before
            transaction.set_rollback(True)
        assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


def bodies_of(route: str, method: str, world: World) -> Iterator[tuple[str, str]]:
    """Yield the URL and bodies of an operation, in each of which one member is hostile, or missing, or there twice."""
    described = {(each, path): about for each, path, about in operations().values()}
    about = described.get((method.lower(), "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)), {})
    components = read_description()["components"]["schemas"]
    schema = about.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    url, body = world.fill(route), world.body(route)
    for path in dict.fromkeys(members_of(schema, components)):
        for value in SENT:
            yield url, json.dumps(with_member(body, path, value))
        twice = json.dumps({path[0]: "one"})[:-1]
        yield url, f"{twice}, {twice[1:]}}}"
    for whole in (None, [], "x", 10**400, [body]):
        yield url, json.dumps(whole)


def posts_of(route: str, world: World, client: Client) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the URLs and the data of the forms of a page, in each of which one field is hostile, or there twice."""
    for url in urls_of(route, world):
        base = dict(world.body(route))
        page = client.get(url)
        for form in forms_of(page) if page.status_code == 200 else []:
            with suppress(AttributeError, KeyError):
                base |= as_shown(form)
        for name in base:
            for value in WRITTEN:
                yield url, base | {name: value}
            yield url, base | {name: [base[name], "x"]}
            yield url, {other: value for other, value in base.items() if other != name}


def urls_of(route: str, world: World) -> Iterable[str]:
    """Return the URLs of a route: those of all acts where it stands for several."""
    url = world.fill(route)
    if "<slug:action>" not in route:
        return [url]
    path = next((each for each in {act.on.path for act in ACTS} if each and f"/{each}/" in route), "")
    return [re.sub(r"[^/]+/$", f"{act.name}/", url) for act in ACTS if act.on.path == path and "undo" not in act.name]


def send(client: Client, method: str, url: str, body: Any) -> bool:
    """Send a request and return whether it was taken. It may be refused, but may not fail."""
    cache.clear()
    about = {"content_type": "application/json"} if isinstance(body, str) else {}
    with transaction.atomic():
        answer = getattr(client, method.lower())(url, body, **about)
        seen = (answer.context or {}).get("seen") if isinstance(body, dict) else None
        if seen:
            # What a preview shows is kept by another request.
            answer = client.post(url, {**body, "keep": "1", "seen": seen})
        assert answer.status_code < 500 or answer.status_code == 503, (method, url, body)
        is_taken = answer.status_code < 400
        if not is_taken:
            transaction.set_rollback(True)
    return is_taken


def sweep() -> None:
    """Run every sweep once."""
    current_app.loader.import_default_modules()
    for entry in SCHEDULE.values():
        if entry["task"] not in NOT_SWEPT:
            current_app.tasks[entry["task"]].apply(throw=True)


def look_around(clients: dict[str, Client], world: World) -> None:
    """Ask for everybody's lists, and for the pages of what has been made last, in each role."""
    lists = [world.fill(route) for method, route in TABLE if method == "GET" and "<" not in route]
    competitions = Competition.objects.order_by("-pk")[:3]
    others = [each for model in (Series, Team, Match, Player) for each in model.objects.order_by("-pk")[:3]]
    pages = [each.get_absolute_url() for each in (*competitions, *others)]
    for competition in competitions:
        own, parts = competition.get_absolute_url(), "log feed embed organise organise/edit organise/series"
        pages += [f"{own}{part}/" for part in parts.split()]
        pages += [f"/api/v1/competitions/{competition.slug}/{part}" for part in ("", "log/", "standings/", "rounds/")]
    for url in dict.fromkeys([*lists, *pages]):
        if url.startswith(("/admin/", "/api/v1/schema", "/api/v1/docs", "/api/v1/stream")):
            continue
        for role in READERS:
            cache.clear()
            with transaction.atomic():
                status = clients[role].get(url).status_code
                assert status < 500 or status == 503, (role, url)


def own_lists_of(client: Client) -> list[bytes]:
    """Return what somebody reads who has nothing to do with all of it."""
    cache.clear()
    return [client.get(url).content for url in OWN_LISTS]
