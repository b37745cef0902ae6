"""Pages of what everybody follows change in place: three browsers, of which none reloads."""

import json
import os
import subprocess
import sys
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live_updates import send
from tests.browser.test_shared_stream import BrowserOf, browser_of, open_seek, site
from tests.served import ROOT, Served

__all__ = ["browser_of", "site"]

pytestmark = pytest.mark.browser

MAKE_COMPETITIONS = """
import json

import django

django.setup()

from django.utils import timezone

from players.models import Scope
from players.services import create_token
from tests.tournaments.verbs import pair, running, start_cup, start_ladder

now = timezone.now()
made = {}
for make, size in ((start_cup, 4), (start_ladder, 4)):
    competition, _entries = make(size, prefix=make.__name__, now=now)
    if not running(competition):
        pair(competition, now)
    fixture = running(competition)[0]
    _token, secret = create_token(player=fixture.yellow.player, name="bot", scopes=[Scope.PLAY], now=now)
    made[competition.get_absolute_url()] = {
        "match": fixture.match_id, "secret": secret,     }
print(json.dumps(made))
"""


def watch(page: Page, path: str) -> Page:
    """Open a page that notes whether it is ever loaded again, and wait until it has a stream."""
    with page.expect_response(lambda response: "/api/v1/stream/" in response.url):
        page.goto(path)
    page.evaluate("window.isSame = true")
    return page


def test_a_game_is_posted_and_taken_and_a_third_sees_both_in_the_lobby(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    earlier = [open_seek(browser_of().new_page()) for _ in range(2)]
    watcher = watch(browser_of("nothing").new_page(), "/seeks/")
    # It asks for nothing by itself: its clock stands still.
    watcher.clock.install()
    watcher.clock.pause_at(time.time() + 3600)
    poster, taker = browser_of().new_page(), browser_of().new_page()
    seek = open_seek(poster)
    row = watcher.locator(f"#seek-{seek}")
    expect(row.get_by_role("button", name="Join")).to_be_visible()
    expect(watcher.locator("#announcements")).to_contain_text("has posted a game")
    expect(watcher.locator("[data-lobby] > li").first).to_have_id(f"seek-{seek}")

    button = watcher.locator(f"#seek-{earlier[0]} button")
    button.hover()
    place = button.bounding_box()
    later = open_seek(browser_of().new_page())
    taker.goto("/seeks/")
    taker.locator(f"#seek-{seek}").get_by_role("button", name="Join").click()
    taker.wait_for_url("**/matches/*/")
    expect(row).to_contain_text("no longer open")
    expect(row.get_by_role("button")).to_have_count(0)
    expect(watcher.locator("#announcements")).to_contain_text("was taken")
    expect(watcher.locator("[data-lobby] > li").last).to_have_id(f"seek-{later}")
    # Nothing has moved below the pointer.
    assert button.bounding_box() == place
    assert watcher.evaluate("window.isSame")
    # The row that came by itself can be used.
    watcher.locator(f"#seek-{later}").get_by_role("button", name="Join").click()
    watcher.wait_for_url("**/matches/*/")
    assert complaints == []


def test_cup_and_ladder_show_a_result_without_being_loaded_again(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"DATA_DIR": str(site.data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    made = json.loads(
        subprocess.run(
            [sys.executable, "-c", MAKE_COMPETITIONS],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    )
    for path, facts in made.items():
        page = watch(browser_of("nothing").new_page(), path)
        before = page.locator("#live-page").inner_text()
        with page.expect_response(lambda response: "live=1" in response.url):
            send(site, f"matches/{facts['match']}/resign/", {}, facts["secret"])
        page.wait_for_function("before => document.getElementById('live-page').innerText !== before", arg=before)
        expect(page.locator("#announcements")).not_to_be_empty()
        assert page.evaluate("window.isSame")
    assert complaints == []
