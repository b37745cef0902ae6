"""How a page of a live match answers the echoes of the server, and shows whether the opponent is connected."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_live_updates import send
from tests.browser.test_shared_stream import BrowserOf, browser_of, guest, open_seek, site
from tests.served import Served
from tests.streams.events import Client

__all__ = ["browser_of", "site"]

pytestmark = pytest.mark.browser

LONGER_THAN_IT_TAKES = 60_000
"""Milliseconds after which a lost connection has been told: 15 seconds without an answer, and 5 until the next look."""


def connect(site: Served, secret: str) -> None:
    """Answer an echo of a player's stream, and go away."""
    client = Client(site.port, "stream/?echo=1", secret=secret)
    events = client.wait(lambda events: any(event.name == "echo" for event in events))
    token = next(event.data["token"] for event in events if event.name == "echo")
    assert site.ask("/api/v1/echoes/", {"token": token})[0] == 204
    client.close()


def test_a_page_answers_echoes_and_shows_that_the_opponent_is_gone_and_is_back(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    page = browser_of("nothing").new_page()
    answers: list[int] = []
    page.on("response", lambda response: answers.extend([response.status] * response.url.endswith("/echoes/")))
    seek, opponent = open_seek(page, pace="live"), guest(site)
    match = send(site, f"seeks/{seek}/take/", {}, opponent)["id"]
    page.wait_for_url(f"**/matches/{match}/")
    connect(site, opponent)
    shown = page.locator(".strip [data-connection]")
    expect(shown).to_have_count(1)
    expect(shown).to_be_empty()
    expect(shown).to_contain_text("Not connected since", timeout=LONGER_THAN_IT_TAKES)
    connect(site, opponent)
    expect(shown).to_be_empty()
    assert set(answers) == {204}
    assert complaints == []
