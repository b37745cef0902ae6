"""Forms that cannot be read are refused, on every page, those of refusals too."""

from typing import Any

import pytest

from streams.asgi_handler import StreamingHandler
from tests.web.odd_requests import OddRequest
from tests.web.test_odd_requests import CSRF, Asgi, ask_wsgi

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data"
PART = b'--b\r\nContent-Disposition: form-data; name="text"%s\r\n\r\n1. 0\r\n--b--\r\n'
COOKIE = f"kickabout_csrf={CSRF}"
REPLAY = b"game=paper-soccer-1&text=1.+0"


def post(path: str, kind: str, body: bytes, **headers: str) -> OddRequest:
    usual = {"CONTENT_TYPE": kind, "HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1"}
    return OddRequest(0, "visitor", "POST", path.encode(), b"", {**usual, **headers}, body)


@pytest.fixture(params=["wsgi", "asgi"])
def ask(request: pytest.FixtureRequest, open_connection: None) -> Any:
    return ask_wsgi if request.param == "wsgi" else Asgi().ask


@pytest.mark.parametrize("charset", ["base64", "rot13", "utf-16", "idna", "latin-1", "nonsense", "hex"])
@pytest.mark.parametrize("kind", [FORM, f"{PARTS}; boundary=b"])
def test_a_form_in_another_character_set_is_refused(ask, kind, charset):
    request = post("/replay/", f"{kind}; charset={charset}", REPLAY if kind == FORM else PART % b"")
    assert ask(request, COOKIE) == 400


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (PARTS, PART % b""),
        (f"{PARTS}; boundary=", PART % b""),
        (f"{PARTS}; boundary=\xe4", PART % b""),
        (f"{PARTS}; boundary={'b' * 300}", PART % b""),
        (f"{PARTS}; boundary=b", PART % b"\r\nContent-Transfer-Encoding: base64"),
        (FORM, b"&".join(b"a%d=b" % number for number in range(1500))),
    ],
)
@pytest.mark.parametrize("path", ["/replay/", "/log-in/"])
def test_a_form_that_cannot_be_taken_apart_is_refused(ask, path, kind, body):
    assert ask(post(path, kind, body), COOKIE) == 400


@pytest.mark.parametrize("kind", [f"{FORM}; charset=zip", PARTS, f"{PARTS}; boundary=b; charset=utf-16"])
def test_a_form_at_an_address_without_a_page_is_not_found(ask, kind):
    assert ask(post("/nothing/", kind, b"{"), COOKIE) == 404
    assert ask(post("/api/v1/nothing/", kind, b"{"), COOKIE) == 404


@pytest.mark.parametrize("kind", [f"{FORM}; charset=base64", PARTS, "multipart/form-data; boundary*=bad''%ff"])
def test_the_api_takes_no_forms_however_broken(ask, kind):
    assert ask(post("/api/v1/replays/", kind, b"{"), COOKIE) == 415


@pytest.mark.parametrize("kind", [FORM, f"{FORM}; charset=UTF-8", f"{FORM}; charset=utf8", f'{FORM}; charset="utf-8"'])
def test_a_sound_form_is_read(ask, kind):
    assert ask(post("/replay/", kind, REPLAY), COOKIE) == 200


@pytest.mark.parametrize("length", ["1.5", "-1", "x", "\u00b2", "+3"])
def test_a_length_that_is_no_number_is_none(ask, length):
    assert ask(post("/replay/", FORM, REPLAY, CONTENT_LENGTH=length), COOKIE) in (200, 400)


def test_both_servers_make_such_requests():
    from web.requests.sound_requests import SoundASGIRequest

    assert StreamingHandler.request_class is SoundASGIRequest
