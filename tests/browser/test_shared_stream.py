"""The tabs of a browser and their one event stream: whose turn it is in each, and the way to games that were taken."""

import re
import time
import urllib.request
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.test_live_updates import send
from tests.marks import nightly, nightly_rows
from tests.matches.play import YELLOW_SET_UP
from tests.served import METRICS_TOKEN, TIMEOUT, Served

pytestmark = pytest.mark.browser

WITHOUT = {
    "worker": "",
    "channel": "delete window.SharedWorker",
    "nothing": "delete window.SharedWorker; delete window.BroadcastChannel",
}
"""The scripts that leave a browser a worker, a channel or nothing to share a stream by."""

TIME_CONTROL = {"bank": 3600, "increment": 60}

LOG_OUT = """
() => fetch("/log-out/", {
  method: "POST",
  headers: { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value },
  redirect: "manual",
})
"""

BrowserOf = Callable[..., BrowserContext]


@pytest.fixture
def site(shared_site: Served) -> Served:
    """Return a site with streams that counts how many are open: none, when those of others have ended."""
    expect_streams(shared_site, 0, stays_for=0)
    return shared_site


@pytest.fixture
def browser_of(browser: Browser, site: Served, complaints: list[str]) -> Iterator[BrowserOf]:
    """Make a browser that shares its stream by what is named."""
    contexts: list[BrowserContext] = []

    def make(shares_by: str = "worker") -> BrowserContext:
        context = browser.new_context(base_url=f"http://127.0.0.1:{site.port}", reduced_motion="reduce")
        context.add_init_script(WITHOUT[shares_by])
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


def open_streams(site: Served) -> int:
    request = urllib.request.Request(
        f"http://127.0.0.1:{site.port}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}
    )
    with urllib.request.urlopen(request) as response:
        found = re.search(r"^kickabout_streams (\d+)", response.read().decode(), re.MULTILINE)
    assert found
    return int(found[1])


def expect_streams(site: Served, number: int, *, stays_for: float = 1.0) -> None:
    """Wait until there have been so many streams for these seconds."""
    deadline = time.monotonic() + TIMEOUT
    since = None
    while since is None or time.monotonic() < since + stays_for:
        if (found := open_streams(site)) != number:
            assert time.monotonic() < deadline, f"{found} streams"
            since = None
        elif since is None:
            since = time.monotonic()
        time.sleep(0.1)


def guest(site: Served) -> str:
    return str(send(site, "guests/", {})["token"]["secret"])


def match_of_others(site: Served) -> int:
    yellow, red = guest(site), guest(site)
    seek = send(site, "seeks/", {"game": "paper-soccer-1", "colour": "yellow", "time_control": TIME_CONTROL}, yellow)
    return int(send(site, f"seeks/{seek['id']}/take/", {}, red)["id"])


def open_seek(page: Page, colour: str = "Yellow", pace: str = "slow") -> int:
    """Open a game on the lobby, as a visitor who becomes a guest; return its number."""
    page.goto("/seeks/")
    form = page.locator("form.form", has=page.get_by_role("button", name="Post game"))
    form.get_by_label(colour, exact=True).check()
    form.locator(f"[name=pace][value={pace}]").check(force=True)
    form.get_by_role("button", name="Post game").click()
    expect(page.locator("#own")).to_be_visible()
    withdrawing = page.locator("form[action*=withdraw]").get_attribute("action") or ""
    return int(withdrawing.split("/")[2])


def test_the_opponents_offer_of_a_rematch_is_seen_at_once(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    page = browser_of().new_page()
    seek = open_seek(page)
    opponent = guest(site)
    match = send(site, f"seeks/{seek}/take/", {}, opponent)["id"]
    page.wait_for_url(f"**/matches/{match}/")
    expect_streams(site, 1)
    send(site, f"matches/{match}/resign/", {}, opponent)
    expect(page.locator("#result-title")).to_have_text("You win!")
    # The page does not ask by itself: its clock stands still.
    page.clock.install()
    page.clock.pause_at(time.time() + 3600)
    send(site, f"matches/{match}/rematch/", {}, opponent)
    expect(page.locator("#rematch p")).to_contain_text("offers you a rematch.")
    page.get_by_role("button", name="Accept the rematch").click()
    page.wait_for_url(re.compile(rf"/matches/(?!{match}/)\d+/"))
    assert complaints == []


def test_a_browser_whose_player_has_logged_out_follows_that_player_no_more(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    context = browser_of()
    page, other = context.new_page(), context.new_page()
    open_seek(page)
    other.goto("/rules/")
    expect_streams(site, 1)
    page.evaluate(LOG_OUT)
    expect_streams(site, 0)
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect_streams(site, 0)
    assert complaints == []


@pytest.mark.parametrize(("shares_by", "number"), [("worker", 1), *nightly_rows([("channel", 1), ("nothing", 3)])])
def test_all_tabs_of_a_browser_hold_one_stream_which_sends_each_what_it_shows(
    site: Served, browser_of: BrowserOf, complaints: list[str], shares_by: str, number: int
) -> None:
    context = browser_of(shares_by)
    lobby = context.new_page()
    seek = open_seek(lobby)
    watching = context.new_page()
    watching.goto(f"/matches/{match_of_others(site)}/")
    rules = context.new_page()
    rules.goto("/rules/")
    expect_streams(site, number)

    opponent = guest(site)
    match = send(site, f"seeks/{seek}/take/", {}, opponent)["id"]
    lobby.wait_for_url(f"**/matches/{match}/")
    for page in (lobby, rules, watching):
        expect(page.locator("#turns")).to_have_text("1 to move")
        expect(page).to_have_title(re.compile(r"^\(1\) \w"))
        expect(page.locator("#icon")).to_have_attribute("href", re.compile("kickabout-turn"))
    expect_streams(site, number)

    lobby.get_by_text("Type the move").click()
    lobby.get_by_label("Move", exact=True).fill(YELLOW_SET_UP)
    lobby.get_by_role("button", name="Play", exact=True).click()
    for page in (lobby, rules, watching):
        expect(page.locator("#turns")).to_be_hidden()
        expect(page).not_to_have_title(re.compile(r"^\("))
        expect(page.locator("#icon")).to_have_attribute("href", re.compile(r"kickabout(\.\w+)?\.svg$"))
    assert complaints == []


def test_when_the_tab_that_leads_is_closed_another_one_takes_over(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    context = browser_of("channel")
    lobby = context.new_page()
    seek = open_seek(lobby)
    rules = context.new_page()
    rules.goto("/rules/")
    expect_streams(site, 1)
    lobby.close()
    expect_streams(site, 1)
    send(site, f"seeks/{seek}/take/", {}, guest(site))
    expect(rules.locator("#turns")).to_have_text("1 to move")
    expect(rules.get_by_text("Your match has begun.")).to_be_visible()
    assert complaints == []


def take_while_loading(site: Served, page: Page, seek: int) -> None:
    """Let somebody take a game before the scripts of the tab's next page run, which know nothing of earlier events."""
    opponent = guest(site)

    def take_first(route: Route) -> None:
        send(site, f"seeks/{seek}/take/", {}, opponent)
        route.continue_()

    # What the tab has kept of the stream would say what it has missed.
    page.evaluate("sessionStorage.clear()")
    page.route("**/js/site.js", take_first)


def test_a_game_that_was_taken_while_the_page_was_loaded_leads_there_too(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    page = browser_of("channel").new_page()
    seek = open_seek(page)
    take_while_loading(site, page, seek)
    page.reload(wait_until="commit")
    page.wait_for_url("**/matches/*/")
    assert complaints == []


def test_a_game_that_was_taken_while_its_player_went_to_another_page_is_announced_there(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    page = browser_of("channel").new_page()
    seek = open_seek(page)
    take_while_loading(site, page, seek)
    page.goto("/rules/", wait_until="commit")
    expect(page.get_by_text("Your match has begun.")).to_be_visible()
    assert complaints == []


def test_a_player_who_fills_in_a_form_or_reads_elsewhere_is_notified_of_a_taken_game_and_not_led_away(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    page = browser_of().new_page()
    seek = open_seek(page)
    page.get_by_label("Name of the player").or_(page.locator("[name=invited]")).first.fill("somebody")
    expect_streams(site, 1)
    match = send(site, f"seeks/{seek}/take/", {}, guest(site))["id"]
    expect(page.get_by_text("Your match has begun.")).to_be_visible()
    expect(page).to_have_url(re.compile("/seeks/$"))
    expect(page.locator("[name=invited]")).to_have_value("somebody")
    expect(page.locator("#own")).to_have_count(0)
    page.get_by_role("link", name="Go to the match").click()
    page.wait_for_url(f"**/matches/{match}/")
    expect(page.get_by_text("Your match has begun.")).to_be_hidden()

    page.goto("/")
    expect_streams(site, 1)
    page.wait_for_timeout(1000)
    expect(page).to_have_url(re.compile(r":\d+/$"))
    assert complaints == []


def test_the_list_of_matches_shows_by_itself_whose_turn_it_is(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    context = browser_of()
    page = context.new_page()
    seek = open_seek(page, "Red")
    page.goto("/rules/")
    expect_streams(site, 1)
    opponent = guest(site)
    match = send(site, f"seeks/{seek}/take/", {}, opponent)["id"]
    # Otherwise the next page would be the first to hear of it, and lead there.
    expect(page.get_by_text("Your match has begun.")).to_be_visible()
    page.goto("/")
    expect(page.locator("#waiting")).to_be_visible()
    expect_streams(site, 1)
    send(site, f"matches/{match}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, opponent)
    expect(page.locator("#live-turns .list").get_by_role("link")).to_have_attribute("href", f"/matches/{match}/")
    expect(page.locator("#waiting")).to_have_count(0)
    assert complaints == []


@pytest.mark.parametrize("shares_by", ["channel", *nightly(["worker"])])
def test_a_page_that_joins_a_stream_learns_what_has_happened_since_it_was_requested(
    site: Served, browser_of: BrowserOf, complaints: list[str], shares_by: str
) -> None:
    context = browser_of(shares_by)
    rules, page = context.new_page(), context.new_page()
    seek = open_seek(page, "Red")
    rules.goto("/rules/")
    opponent = guest(site)
    match = send(site, f"seeks/{seek}/take/", {}, opponent)["id"]
    page.wait_for_url(f"**/matches/{match}/")

    def move_first(route: Route) -> None:
        send(site, f"matches/{match}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, opponent)
        # The stream of the browser has brought the move when another tab of it shows that.
        expect(rules.locator("#turns")).to_have_text("1 to move")
        route.continue_()

    page.route("**/js/site.js", move_first)
    page.goto("/", wait_until="commit")
    expect(page.locator("#live-turns .list").get_by_role("link")).to_have_attribute("href", f"/matches/{match}/")
    expect(page.locator("#waiting")).to_have_count(0)
    assert complaints == []


@pytest.mark.parametrize("shares_by", ["channel", *nightly(["worker"])])
def test_a_game_that_was_taken_while_the_page_was_loaded_leads_there_although_another_tab_was_notified(
    site: Served, browser_of: BrowserOf, complaints: list[str], shares_by: str
) -> None:
    context = browser_of(shares_by)
    rules, page = context.new_page(), context.new_page()
    seek = open_seek(page)
    rules.goto("/rules/")
    opponent = guest(site)

    def take_first(route: Route) -> None:
        send(site, f"seeks/{seek}/take/", {}, opponent)
        expect(rules.get_by_text("Your match has begun.")).to_be_visible()
        route.continue_()

    page.route("**/js/site.js", take_first)
    page.reload(wait_until="commit")
    page.wait_for_url("**/matches/*/")
    assert complaints == []


def test_without_streams_a_taken_game_is_found_by_asking(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    context = browser_of("channel")
    context.route(re.compile(r"/api/v1/stream/"), lambda route: route.fulfill(status=503))
    page = context.new_page()
    page.clock.install()
    seek = open_seek(page)
    page.wait_for_load_state("networkidle")
    match = send(site, f"seeks/{seek}/take/", {}, guest(site))["id"]
    page.clock.fast_forward(21_000)
    page.wait_for_timeout(500)
    page.clock.fast_forward(1000)
    page.wait_for_url(f"**/matches/{match}/")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
