"""Requests under WSGI share so many slots, and those that need none never wait for them."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest
from django.test import RequestFactory

from web.limits import slots
from web.requests.outages import ServerFullError, is_outage

TIMEOUT = 30


class Hanging:
    """An application whose pages wait until they are let go."""

    def __init__(self) -> None:
        self.go_on = Event()
        self.begun: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        path = environ["PATH_INFO"]
        self.begun.append(path)
        if path.startswith("/page/") and slots.REFUSED not in environ:
            assert self.go_on.wait(TIMEOUT)
        return [b"refused" if slots.REFUSED in environ else b"answered"]


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    monkeypatch.setattr(slots, "SLOT_TIMEOUT", 0.1)
    application = Hanging()
    yield application
    application.go_on.set()


def test_what_needs_the_database_is_refused_while_all_slots_hang_and_all_else_is_answered(hanging) -> None:
    site = slots.Slots(hanging, 2)

    def ask(path: str) -> bytes:
        return b"".join(site({"PATH_INFO": path}, None))

    pages = [Thread(target=ask, args=[f"/page/{number}"]) for number in range(2)]
    for page in pages:
        page.start()
    assert ask("/health/live") == ask("/static/js/site.js") == b"answered"
    assert ask("/page/2") == ask("/page/3") == b"refused"
    hanging.go_on.set()
    for page in pages:
        page.join(TIMEOUT)
    assert ask("/page/4") == b"answered"


def test_a_request_without_a_slot_is_told_that_the_database_is_away() -> None:
    middleware = slots.SlotsMiddleware(lambda request: None)
    request = RequestFactory().get("/")
    request.META[slots.REFUSED] = "No thread is free."
    with pytest.raises(ServerFullError) as refused:
        middleware(request)
    assert is_outage(refused.value)
