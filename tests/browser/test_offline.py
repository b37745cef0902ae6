"""The site as an app: what its worker shows without a connection, what pushes become, and that log-out erases it."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.presence import forget_presence
from push.encryption import public_key_of
from push.services import delivery
from push.services.keys import site_key
from push.services.notices import post_news
from tests.matches.play import begin_match
from tests.push.push_service import serve_pushes
from web.outgoing import post_all

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def wait_for(page: Page, promised: str) -> None:
    """Wait until what is promised is true; Playwright's own function would take any promise for true."""
    page.evaluate(f"(async () => {{ while (!(await {promised})) await new Promise((go) => setTimeout(go, 50)); }})()")


@pytest.fixture
def page(open_page, anna, match, chromium) -> Page:
    """Return anna's page with the worker that keeps what she sees."""
    if chromium.endswith("headless-shell"):
        pytest.skip("Chromium without windows has no notifications and no badge: its pages crash.")
    page: Page = open_page(anna, "/", has_worker=True, permissions=["notifications"])
    wait_for(page, "caches.match('/offline/', {ignoreVary: true})")
    page.reload()
    return page


def test_without_a_connection_own_matches_are_shown_as_last_seen(page, match):
    page.context.set_offline(True)
    page.goto("/cups/")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator(f"a[href='/matches/{match.pk}/']").first).to_be_visible()
    assert page.evaluate("document.styleSheets.length") >= 3
    page.context.set_offline(False)
    page.goto("/cups/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Cups")


def test_log_out_erases_all_that_was_kept(page):
    assert page.evaluate("caches.keys()") != []
    page.goto("/profile/")
    page.get_by_role("button", name="Log out").first.click()
    page.wait_for_url("/")
    wait_for(page, "navigator.serviceWorker.getRegistrations().then((found) => !found.length)")
    assert page.evaluate("caches.keys()") == []


def push(page: Page, **message: object) -> None:
    """Let the worker get a push, as the browser would from its push service."""
    session = page.context.new_cdp_session(page)
    versions: list[dict] = []
    session.on("ServiceWorker.workerVersionUpdated", lambda found: versions.extend(found["versions"]))
    session.on("ServiceWorker.workerRegistrationUpdated", lambda found: versions.extend(found["registrations"]))
    session.send("ServiceWorker.enable")
    page.wait_for_timeout(100)
    registration = next(each["registrationId"] for each in versions)
    origin = page.evaluate("location.origin")
    data = json.dumps(message)
    session.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": registration, "data": data})


SUBSCRIBE = """({endpoint, keys}) => {
  PushManager.prototype.subscribe = async ({applicationServerKey}) => {
    localStorage.setItem("key", applicationServerKey);
    return {toJSON: () => ({endpoint, keys})};
  };
}"""


def test_a_browser_is_subscribed_on_the_profile_and_told(page, anna, piotr, settings, monkeypatch):
    settings.ALLOW_PRIVATE_ADDRESSES = True
    with serve_pushes() as service, ThreadPoolExecutor(1) as elsewhere:
        # Playwright keeps a loop in this thread, beside which there can be no other.
        monkeypatch.setattr(delivery, "post_all", lambda calls: elsewhere.submit(post_all, calls).result())
        phone = service.add("phone")
        page.goto("/profile/")
        page.evaluate(SUBSCRIBE, phone.subscription)
        page.get_by_role("button", name="Tell me on this device").click()
        expect(page.locator("#push td").first).to_contain_text("this one")
        assert page.evaluate("localStorage.getItem('key')") == public_key_of(site_key())
        expect(page.locator("#this-device")).to_have_count(0)
        now = timezone.now()
        begin_match(anna, piotr, now=now)
        post_news(now=now)
        forget_presence(player_id=anna.pk)
        delivery.send_due(clock=timezone.now)
        assert [message["due"] for message in phone.messages] == [2]
        page.get_by_role("button", name="End", exact=False).first.click()
        expect(page.get_by_role("button", name="Tell me on this device")).to_be_visible()


SHOWN = """navigator.serviceWorker.ready.then((found) => found.getNotifications()).then((all) =>
    all.map(({title, body, tag, data}) => [title, body, tag, data.path]))"""


def wait_until_shown(page: Page, expected: list[str]) -> None:
    """Wait until this is the only notification."""
    wait_for(page, f"{SHOWN}.then((all) => JSON.stringify(all) === JSON.stringify([{json.dumps(expected)}]))")


def test_pushes_become_one_notification_that_leads_to_the_match(page, match):
    path = match.get_absolute_url()
    push(page, title="Your turn", body="StreetSoccer", path=path, tag=f"match-{match.pk}", due=1)
    wait_until_shown(page, ["Your turn", "StreetSoccer", f"match-{match.pk}", path])
    push(page, title="A match is over", body="You win!", path="/matches/0/", tag="match-0", due=1)
    wait_until_shown(page, ["Kickabout (2)", "Your turn: StreetSoccer\nA match is over: You win!", "several", "/"])
