"""Whatever anybody sends, on any page and to the API, the site does not fail."""

import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.cache import cache
from django.core.handlers.base import BaseHandler
from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.test import Client
from django.urls import get_resolver

from operations.endpoints import ANSWERS
from players.models import Player
from streams.asgi_handler import StreamingHandler
from tests.marks import nightly
from tests.permissions.test_permissions import TABLE, all_routes
from tests.permissions.world import World, make_world
from tests.web.odd_requests import OddRequest, draw_requests

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

ROLES = {"visitor": "", "player": "anna", "entrant": "piotr", "organiser": "olga", "staff": "stan", "superuser": "boss"}
CSRF = "c" * 32
SEEDS = {"sqlite": 11, "postgresql": 12}
"""Each kind of database is asked for others."""


@pytest.fixture
def world(open_connection: None, without_rates: None) -> World:
    return make_world()


@pytest.fixture
def cookies(world: World) -> dict[str, str]:
    """Return what each role's browser sends: its session, and what forms are checked by."""
    found = {}
    for role, username in ROLES.items():
        client = Client()
        if username:
            client.force_login(Player.objects.get(username=username))
        session = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        found[role] = f"kickabout_csrf={CSRF}; {session}"
    return found


@pytest.fixture
def faults() -> Iterator[list[BaseException | None]]:
    """Yield the exceptions that requests have ended with."""
    found: list[BaseException | None] = []

    def note(sender: Any, **kwargs: Any) -> None:
        found.append(sys.exc_info()[1])

    got_request_exception.connect(note)
    yield found
    got_request_exception.disconnect(note)


@pytest.mark.parametrize("usual", [250, *nightly([2_000])])
def test_odd_requests_are_answered_and_none_by_a_fault(
    usual: int, world: World, cookies: dict[str, str], faults: list[BaseException | None], pytestconfig: pytest.Config
) -> None:
    ask = {"wsgi": ask_wsgi, "asgi": Asgi().ask}
    answered_before_routes = [*(path.removeprefix("/") for path in ANSWERS), "static/js/site.js", "static/js/"]
    resolved = [route for route, _view in all_routes(get_resolver())]
    routes = sorted(set(TABLE) | {("GET", route) for route in (*resolved, *answered_before_routes)})
    count = max(usual, pytestconfig.getoption("--examples"))
    wrong = []
    answered: Counter[int] = Counter()
    for request in draw_requests(SEEDS[connection.vendor], count, routes, tuple(ROLES), world):
        if request.number % 100 == 0:
            cache.clear()
        interface = "asgi" if request.number % 2 else "wsgi"
        with transaction.atomic():
            try:
                status = ask[interface](request, cookies[request.role])
            except Exception as fault:  # noqa: BLE001 - outside of everything that would answer with 500
                faults.append(fault)
                status = 500
            transaction.set_rollback(True)
        answered[status] += 1
        if faults or (status >= 500 and status != HTTPStatus.SERVICE_UNAVAILABLE):
            wrong.append(f"{status} {interface} {[describe(fault) for fault in faults[:2]]}\n{request}")
            faults.clear()
    assert not wrong, f"{len(wrong)} of {count}:\n" + "\n\n".join(wrong[:20])
    # Odd requests that were all refused before any view would show nothing.
    assert answered[200] + answered[302] > count / 5


def describe(fault: BaseException | None) -> str:
    """Return what happened, and in which lines."""
    frames = traceback.extract_tb(fault.__traceback__)[-6:] if fault else []
    return f"{fault!r:.200}, in " + ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)


def environ_of(request: OddRequest, cookie: str) -> dict[str, Any]:
    """Return what a WSGI server passes on: a header of the request wins against the one that is usual."""
    sent = f"{cookie}; {odd}" if (odd := request.headers.get("HTTP_COOKIE")) else cookie
    environ = {
        "REQUEST_METHOD": request.method,
        "PATH_INFO": unquote_to_bytes(request.path).decode("latin-1"),
        "QUERY_STRING": request.query.decode("latin-1"),
        "SERVER_NAME": "localhost",
        "CONTENT_LENGTH": str(len(request.body)),
        "HTTP_X_CSRFTOKEN": CSRF,
        "wsgi.input": BytesIO(request.body),
        "wsgi.errors": StringIO(),
        **request.headers,
        "HTTP_COOKIE": sent,
    }
    setup_testing_defaults(environ)
    return environ


def ask_wsgi(request: OddRequest, cookie: str) -> int:
    """Return the status that the WSGI application answers with, its whole answer read."""
    # It takes long to import, which processes that run no test of this file need not.
    from config.wsgi import application

    statuses = []
    answer = application(environ_of(request, cookie), lambda status, _headers, *_: statuses.append(int(status[:3])))
    try:
        for _ in answer:
            pass
    finally:
        answer.close()  # type: ignore[attr-defined]
    return statuses[0]


class Asgi:
    """The site as an ASGI server makes requests for it; it answers in the thread of the test."""

    def __init__(self) -> None:
        """Load the middleware."""
        self._factory = StreamingHandler()
        self._handler = BaseHandler()
        self._handler.load_middleware()

    def ask(self, request: OddRequest, cookie: str) -> int:
        """Return the status that the site answers with, its whole answer read."""
        environ = environ_of(request, cookie)
        body: BytesIO = environ["wsgi.input"]
        headers = [
            (name.removeprefix("HTTP_").replace("_", "-").lower().encode(), value.encode("latin-1", "replace"))
            for name, value in environ.items()
            if name.startswith(("HTTP_", "CONTENT_"))
        ]
        scope = {
            "type": "http",
            "method": request.method,
            "path": unquote(request.path.decode("latin-1")),
            "query_string": request.query,
            "headers": headers,
            "client": (environ["REMOTE_ADDR"], 1),
            "server": ("localhost", 80),
            "scheme": "http",
        }
        made, refused = self._factory.create_request(scope, body)
        if made is None:
            return int(refused.status_code)
        response = self._handler.get_response(made)
        for _ in () if getattr(response, "is_async", False) else response:
            pass
        response.close()
        return int(response.status_code)
