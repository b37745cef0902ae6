"""A match page that follows its match by an event stream, on a real server that has streams."""

import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Response, expect

from tests.matches.play import RED_SET_UP, YELLOW_SET_UP
from tests.served import TIMEOUT, Served

Look = Callable[[str], tuple[Page, list[str]]]

pytestmark = pytest.mark.browser

QUIET = 4.0
"""Seconds in which a page that polls would have asked twice."""

MAX_RETRY_DELAY = 61
"""Seconds after which a page tries a stream again that was refused."""

SEEK = {"game": "streetsoccer-board", "colour": "yellow", "time_control": {"bank": 3600, "increment": 60}}


def send(served: Served, path: str, body: object, secret: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    url = f"http://127.0.0.1:{served.port}/api/v1/{path}"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as response:
        return json.loads(response.read())


@pytest.fixture
def look(browser: Browser, shared_site: Served, complaints: list[str]) -> Iterator[Look]:
    """Look at a page as a visitor; gives the page, and what it goes on asking the server for.

    Answers that are errors are complaints, and so is what a page says of errors in its console.
    """
    context = browser.new_context(base_url=f"http://127.0.0.1:{shared_site.port}", reduced_motion="reduce")
    # What a shared worker asks for is not seen here: the tab asks itself.
    context.add_init_script("delete window.SharedWorker")

    def open_page(path: str) -> tuple[Page, list[str]]:
        page = context.new_page()
        asked: list[str] = []

        def note(request: Request) -> None:
            asked.append(re.sub(r"^http://[^/]+/", "", request.url))

        def judge(response: Response) -> None:
            if response.status >= 400:
                complaints.append(f"{response.status} {response.url}")

        page.on("request", note)
        page.on("response", judge)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(path)
        return page, asked

    yield open_page
    context.close()


def wait_until_asked(page: Page, asked: list[str], path: str) -> None:
    """Wait until the page has asked for what begins so: a stream may go on after an event."""
    deadline = time.monotonic() + TIMEOUT
    while not any(each.startswith(path) for each in asked):
        assert time.monotonic() < deadline, f"{path} is not in {asked}"
        page.wait_for_timeout(50)


def test_a_page_shows_a_move_without_having_asked_for_news(
    shared_site: Served, look: Look, complaints: list[str]
) -> None:
    yellow, red = (send(shared_site, "guests/", {})["token"]["secret"] for _ in range(2))
    match = send(shared_site, f"seeks/{send(shared_site, 'seeks/', SEEK, yellow)['id']}/take/", {}, red)["id"]
    page, asked = look(f"/matches/{match}/")
    news = f"matches/{match}/updates/?since="
    page.wait_for_load_state("load")
    wait_until_asked(page, asked, f"{news}0")
    assert f"api/v1/stream/?match={match}&updates=1" in asked

    page.wait_for_timeout(QUIET * 1000)
    asked.clear()
    page.wait_for_timeout(QUIET * 1000)
    assert asked == []

    for ply, (secret, text) in enumerate(((yellow, YELLOW_SET_UP), (red, RED_SET_UP))):
        asked.clear()
        send(shared_site, f"matches/{match}/moves/", {"ply": ply, "text": text}, secret)
        expect(page.locator(f'#moves [data-ply="{ply + 1}"]')).to_be_visible()
        # The first move brings the panel in which moves are listed; others come by themselves, unless they are long.
        assert set(asked) <= ({f"matches/{match}/panels/"} if ply == 0 else {f"{news}1"})
    assert complaints == []


def test_who_plays_by_a_link_sees_an_offer_at_once_and_the_board_as_it_was_once_a_turn_is_taken_back(
    shared_site: Served, look: Look, complaints: list[str]
) -> None:
    guest = send(shared_site, "guests/", {})
    yellow, name = guest["token"]["secret"], guest["player"]["username"]
    link = send(shared_site, "seeks/", {**SEEK, "by_link": True}, yellow)["link"]
    page, asked = look("/friend/" + link.split("/friend/")[1])
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/matches/*/")
    match = int(page.url.split("/")[-2])
    wait_until_asked(page, asked, f"api/v1/stream/?match={match}&updates=1")
    send(shared_site, f"matches/{match}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, yellow)
    expect(page.locator('#moves [data-ply="1"]')).to_be_visible()
    send(shared_site, f"matches/{match}/offer/", {"kind": "take-back"}, yellow)
    expect(page.get_by_text(f"{name} asks to take back their last turn.").first).to_be_visible()
    send(shared_site, f"matches/{match}/offer/decline/", {}, yellow)
    expect(page.locator("#offers .notice")).to_be_hidden()
    send(shared_site, f"matches/{match}/offer/", {"kind": "take-back"}, yellow)
    page.get_by_role("button", name="Accept").click()
    expect(page.locator("#action-title")).to_contain_text(f"{name} to move")
    expect(page.locator('#moves [data-ply="1"]')).to_have_count(0)
    assert complaints == []


def test_the_side_to_act_can_click_although_the_event_of_the_opponents_move_has_no_room_for_the_clicks(
    shared_site: Served, look: Look, complaints: list[str]
) -> None:
    guest = send(shared_site, "guests/", {})
    yellow, name = guest["token"]["secret"], guest["player"]["username"]
    send(shared_site, "seeks/", SEEK, yellow)
    page, asked = look("/seeks/")
    row = page.get_by_role("listitem").filter(has=page.get_by_text(name, exact=True))
    row.get_by_role("button", name="Join").click()
    page.wait_for_url("**/matches/*/")
    match = int(page.url.split("/")[-2])
    wait_until_asked(page, asked, f"api/v1/stream/?match={match}&updates=1")
    page.wait_for_timeout(QUIET * 1000)
    asked.clear()
    send(shared_site, f"matches/{match}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, yellow)
    expect(page.locator('#moves [data-ply="1"]')).to_be_visible()
    page.locator('.space[data-space="e10"]').click()
    expect(page.locator("#task")).to_have_text("Place player 2.")
    # What has no room is asked for once, with all the rest; the last request only says that the player is there.
    news = f"matches/{match}/updates/?since="
    wait_until_asked(page, asked, f"{news}1")
    assert [each for each in asked if each.startswith("matches/")][:3] == [
        f"{news}0",
        f"matches/{match}/panels/",
        f"{news}1",
    ]
    assert complaints == []


def test_a_page_asks_again_when_its_stream_is_refused_and_later_tries_the_stream_again(
    shared_site: Served, look: Look, complaints: list[str]
) -> None:
    guest = send(shared_site, "guests/", {})["token"]["secret"]
    against = {"opponent": "computer", "game": "streetsoccer-board", "colour": "yellow"}
    match = send(shared_site, "matches/", against, guest)["id"]
    page, asked = look(f"/matches/{match}/")
    news = f"matches/{match}/updates/?since=0"
    stream = f"api/v1/stream/?match={match}&updates=1"
    streams = re.compile(r"/api/v1/stream/\?")
    wait_until_asked(page, asked, stream)
    page.route(streams, lambda route: route.fulfill(status=503))
    page.clock.install()
    with page.expect_response(streams):
        page.reload()
    asked.clear()
    page.wait_for_timeout(QUIET * 1000)
    assert asked.count(news) >= 2
    assert stream not in asked

    page.unroute(streams)
    with page.expect_request(streams):
        page.clock.fast_forward(MAX_RETRY_DELAY * 1000)
    page.wait_for_timeout(QUIET * 1000)
    asked.clear()
    page.wait_for_timeout(QUIET * 1000)
    assert asked == []
    page.close()
    complaints.clear()
