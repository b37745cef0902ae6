"""Pages of what everybody follows change in place: three browsers, of which none reloads."""

import json
import os
import subprocess
import sys
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live_updates import send
from tests.browser.test_shared_stream import BrowserOf, browser_of, open_seek, site
from tests.served import ROOT, Served

__all__ = ["browser_of", "site"]

pytestmark = pytest.mark.browser

MAKE_COMPETITION = """
import json
import sys

import django

django.setup()

from django.utils import timezone

from players.models import Scope
from players.services import create_token
from tests.tournaments.verbs import pair, running, start_cup, start_ladder

kind, name, size = sys.argv[1:]
now = timezone.now()
make, options = (start_cup, {"legs": 1}) if kind == "cup" else (start_ladder, {"min_matches": 1})
competition, _entries = make(int(size), prefix=name, slug=name, name=name, now=now, **options)
if not running(competition):
    pair(competition, now)
fixture = running(competition)[-1]
_token, secret = create_token(player=fixture.yellow.player, name="bot", scopes=[Scope.PLAY], now=now)
print(json.dumps({
    "path": competition.get_absolute_url(),
    "match": fixture.match_id,
    "secret": secret,
    "winner": fixture.red.name,
    "tie": fixture.tie_id,
}))
"""

MAKE_MATCH = """
import json

import django

django.setup()

from django.utils import timezone

from players.models import Player, Scope
from players.services import create_token
from tests.matches.play import act, begin_match, set_up

now = timezone.now()
match = set_up(begin_match(*Player.objects.bulk_create([Player(username="home"), Player(username="away")]), now=now))
while match.ply < 14:
    match = act(match)
_token, secret = create_token(player=match.player_to_act, name="bot", scopes=[Scope.PLAY], now=now)
print(json.dumps({"match": match.pk, "ply": match.ply, "text": match.state.legal_moves()[0], "secret": secret}))
"""

SECONDS = 2.0
"""The most seconds until everybody sees a change."""


def make(site: Served, *script: str) -> dict[str, Any]:
    """Run a script on the database of the site; return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"DATA_DIR": str(site.data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    making = [sys.executable, "-c", *script]
    made = subprocess.run(making, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(made))


def make_competition(site: Served, kind: str, name: str, size: int) -> dict[str, Any]:
    """Start a competition on the site; return its path, and a match of it with a token by which to end that."""
    return make(site, MAKE_COMPETITION, kind, name, str(size))


def resign(site: Served, made: dict[str, Any]) -> float:
    """End the match of a competition; return when that was answered."""
    send(site, f"matches/{made['match']}/resign/", {}, made["secret"])
    return time.monotonic()


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


def test_cup_and_ladder_show_a_result_soon_without_being_loaded_again(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    for kind in ("cup", "ladder"):
        made = make_competition(site, kind, f"soon-{kind}", 4)
        page = watch(browser_of("nothing").new_page(), made["path"])
        before = page.locator("#live-page").inner_text()
        ended = resign(site, made)
        page.wait_for_function("before => document.getElementById('live-page').innerText !== before", arg=before)
        assert time.monotonic() - ended < SECONDS, kind
        expect(page.locator("#announcements")).not_to_be_empty()
        assert page.evaluate("window.isSame")
    assert complaints == []


def test_a_bracket_changes_at_the_tie_without_asking(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    made = make_competition(site, "cup", "tie", 8)
    page = watch(browser_of("nothing").new_page(), made["path"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    box, row = page.locator(f"#box-{made['tie']}"), page.locator(f"#tie-{made['tie']}")
    box.focus()
    place, others = box.bounding_box(), page.locator(".box text.winner").count()
    resign(site, made)
    expect(box.locator("text.name.winner")).to_have_text(made["winner"])
    expect(row.locator(".winner")).to_have_text(made["winner"])
    expect(page.locator(f"#waits-{made['match']}")).to_have_count(0)
    # Who goes on stands in the next box, too.
    expect(page.locator(".box text.name", has_text=made["winner"])).to_have_count(2)
    assert (box.bounding_box(), others) == (place, 0)
    assert page.evaluate("document.activeElement.id") == f"box-{made['tie']}"
    # Longer than pages wait before they ask.
    page.wait_for_timeout(1000 * SECONDS)
    assert [url for url in asked if "live=1" in url] == []
    assert page.evaluate("window.isSame")
    assert complaints == []


def test_what_is_read_stays_where_it_is_while_a_row_above_changes(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    made = make_competition(site, "ladder", "read", 16)
    page = browser_of("nothing").new_page()
    page.set_viewport_size({"width": 360, "height": 500})
    watch(page, made["path"])
    rows = page.locator("tbody tr[id^=seat-]")
    first, link = rows.first.get_attribute("id"), rows.nth(8).locator("a.main")
    link.scroll_into_view_if_needed()
    link.focus()
    page.evaluate("row => getSelection().selectAllChildren(row)", rows.nth(9).locator("a.main").element_handle())
    focused, selected, place = (link.inner_text(), page.evaluate("String(getSelection())"), link.bounding_box())
    assert page.evaluate("scrollY") > 0
    resign(site, made)
    expect(rows.first).not_to_have_id(first or "")
    assert page.evaluate("document.activeElement.innerText") == focused
    assert page.evaluate("String(getSelection())") == selected
    # Columns become wider with what stands in them; nothing moves up or down.
    now = page.locator("a.main:focus").bounding_box()
    assert now
    assert place
    assert now["y"] == pytest.approx(place["y"], abs=1)
    assert page.evaluate("window.isSame")
    assert complaints == []


def test_the_board_that_visitors_see_first_goes_on_with_its_match(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    made = make(site, MAKE_MATCH)
    page = watch(browser_of("nothing").new_page(), "/")
    caption, board = page.locator("#live-board figcaption"), page.locator("#live-board svg.board")
    before = board.inner_html()
    expect(caption.get_by_role("link")).to_have_attribute("href", f"/matches/{made['match']}/")
    send(site, f"matches/{made['match']}/moves/", {"ply": made["ply"], "text": made["text"]}, made["secret"])
    page.wait_for_function("before => document.querySelector('#live-board svg.board').innerHTML !== before", arg=before)
    assert page.evaluate("window.isSame")
    assert complaints == []
