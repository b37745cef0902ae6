"""A stream ends within seconds of the token or the session by which it was opened, on a real server."""

import json
import re
import sqlite3
import urllib.request
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

from django.conf import settings as configured

from tests.streams.events import Client

Follow = Callable[..., Client]
PASSWORD = "correct horse 7"


class Browser:
    """A browser in which somebody is logged in."""

    def __init__(self, port: int, username: str) -> None:
        self._site = f"http://127.0.0.1:{port}"
        self._cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self.post("/log-in/", {"username": username, "password": PASSWORD}, page="/log-in/")

    def post(self, path: str, fields: dict[str, str], page: str = "/profile/") -> str:
        """Send a form of a page, and return the page that follows."""
        form = self._opener.open(f"{self._site}{page}", timeout=60).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', form)
        assert token
        sent = urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        answer: str = self._opener.open(f"{self._site}{path}", sent, timeout=60).read().decode()
        return answer

    @property
    def cookie(self) -> str:
        """The session's cookie, as a header says it."""
        value = next(cookie.value for cookie in self._cookies if cookie.name == configured.SESSION_COOKIE_NAME)
        return f"{configured.SESSION_COOKIE_NAME}={value}"


def ask(port: int, method: str, path: str, username: str, body: object = None) -> Any:
    """Return the API's answer to a player who sends the password along."""
    basic = b64encode(f"{username}:{PASSWORD}".encode()).decode()
    headers = {"Authorization": f"Basic {basic}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as response:
        text = response.read()
    return json.loads(text) if text else None


def test_a_stream_ends_with_the_token_or_the_session_that_opened_it(shared_site, follow):
    port = shared_site.port
    names = ("revoked", "expires", "leaves", "changes", "switched", "stays")
    for name in names:
        assert shared_site.ask("/api/v1/players/", {"username": name, "password": PASSWORD})[0] == 201

    def make_token(name: str, expires_at: datetime | None = None) -> dict[str, Any]:
        made = {"name": "bot", "scopes": ["read"], "expires_at": expires_at and expires_at.isoformat()}
        token: dict[str, Any] = ask(port, "POST", "tokens/", name, made)
        return token

    tokens = {name: make_token(name) for name in ("revoked", "switched", "stays")}
    browsers = {name: Browser(port, name) for name in ("leaves", "changes", "stays")}
    elsewhere = Browser(port, "changes")
    streams = {name: follow(port, "stream/", secret=token["secret"]) for name, token in tokens.items()}
    streams |= {f"{name} by session": follow(port, "stream/", cookie=each.cookie) for name, each in browsers.items()}
    streams["changes elsewhere"] = follow(port, "stream/", cookie=elsewhere.cookie)
    # The last of all, so that it has not expired before it is used.
    ends_at = datetime.now(UTC) + timedelta(seconds=8)
    streams["expires"] = follow(port, "stream/", secret=make_token("expires", ends_at)["secret"])
    for stream in streams.values():
        stream.wait(len)

    ask(port, "DELETE", f"tokens/{tokens['revoked']['id']}/", "revoked")
    browsers["leaves"].post("/log-out/", {})
    browsers["changes"].post("/profile/password/", {"old": PASSWORD, "new": "another horse 8"})
    with sqlite3.connect(shared_site.data / "kickabout.sqlite3", timeout=30) as database:
        database.execute("UPDATE players_player SET is_active = 0 WHERE username = 'switched'")
    database.close()

    for name in ("revoked", "switched", "leaves by session", "changes elsewhere", "changes by session"):
        streams[name].wait_for_end()
    streams["expires"].wait_for_end()
    assert datetime.now(UTC) >= ends_at
    assert [streams[name].ended_at for name in ("stays", "stays by session")] == [None, None]
    again = follow(port, "stream/", cookie=browsers["changes"].cookie)
    assert again.status == 200
    assert follow(port, "stream/", cookie=elsewhere.cookie).status == 401
