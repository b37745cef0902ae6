"""A page of another origin uses the API with a token in a real browser, and cannot use the session that is there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.elsewhere import serve_page
from tests.browser.test_live_updates import send
from tests.matches.play import YELLOW_SET_UP
from tests.served import Served

pytestmark = pytest.mark.browser

CREDENTIALS = {"username": "elsa", "password": "seven tall giraffes"}
TIME_CONTROL = {"bank": 3600, "increment": 60}

POST_SEEK = """
async ([api, token]) => {
  const response = await fetch(`${api}seeks/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "one" },
    body: JSON.stringify({ game: "paper-soccer-1", colour: "yellow" }),
  });
  const seek = await response.json();
  return [response.status, seek.creator.username, response.headers.get("RateLimit-Policy")];
}
"""

READ_MATCH = """
async ([api, match]) => {
  const url = `${api}matches/${match}/`;
  const etag = (await fetch(url)).headers.get("ETag");
  const again = await fetch(url, { headers: { "If-None-Match": etag }, cache: "no-store" });
  return again.status;
}
"""

REFUSAL = """
async ([api, token]) => {
  const response = await fetch(`${api}players/me/`, { headers: { Authorization: `Bearer ${token}` } });
  return [response.status, (await response.json()).code, response.headers.get("WWW-Authenticate")];
}
"""

FETCH_STREAM = """
async ([api, token, match]) => {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${token}` };
  const response = await fetch(`${api}stream/?match=${match}`, { headers });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("event: match")) {
    const { value, done } = await reader.read();
    if (done) return `${response.status}: ${text}`;
    text += value;
  }
  await reader.cancel();
  return text;
}
"""

OPEN_SOURCE = """
([api, match]) => {
  window.plies = [];
  window.source = new EventSource(`${api}matches/${match}/stream/`);
  window.source.addEventListener("match", ({ data }) => window.plies.push(JSON.parse(data).ply));
}
"""

WITH_SESSION = """
async ([api, mode]) => {
  try {
    const response = await fetch(`${api}players/me/`, { credentials: mode });
    return [response.status, (await response.json()).code];
  } catch (error) {
    return error.name;
  }
}
"""

SOURCE_WITH_SESSION = """
([api]) => new Promise((resolve) => {
  const source = new EventSource(`${api}stream/`, { withCredentials: true });
  source.onopen = () => resolve("open");
  source.onerror = () => {
    source.close();
    resolve("refused");
  };
})
"""


@pytest.fixture
def site(shared_site: Served) -> Served:
    return shared_site


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with serve_page() as url:
        yield url


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def api_of(site: Served) -> str:
    return f"http://127.0.0.1:{site.port}/api/v1/"


def test_a_page_elsewhere_plays_and_follows_with_a_token(site: Served, elsewhere: str, page: Page) -> None:
    api = api_of(site)
    yellow, red = (str(send(site, "guests/", {})["token"]["secret"]) for _ in range(2))
    seek = {"game": "streetsoccer-board", "colour": "yellow", "time_control": TIME_CONTROL}
    match = send(site, f"seeks/{send(site, 'seeks/', seek, yellow)['id']}/take/", {}, red)["id"]
    page.goto(elsewhere)
    status, creator, policy = page.evaluate(POST_SEEK, [api, red])
    assert (status, creator.startswith("guest"), policy) == (201, True, '"write";q=600;w=60')
    assert page.evaluate(READ_MATCH, [api, match]) == 304
    assert page.evaluate(REFUSAL, [api, "kick_nobody"]) == [401, "authentication_failed", 'Bearer realm="Kickabout"']
    text = page.evaluate(FETCH_STREAM, [api, yellow, match])
    assert ("event: ready" in text, f'"match": {match}' in text, '"you": "yellow"' in text) == (True, True, True)
    page.evaluate(OPEN_SOURCE, [api, match])
    page.wait_for_function("window.plies.length === 1")
    send(site, f"matches/{match}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, yellow)
    page.wait_for_function("window.plies.at(-1) > 0")
    assert page.evaluate("window.plies") == [0, 1]
    page.evaluate("window.source.close()")


def test_a_page_elsewhere_gets_nothing_by_the_session_of_a_player_who_looks_at_it(
    site: Served, elsewhere: str, page: Page
) -> None:
    send(site, "players/", CREDENTIALS)
    page.goto(f"http://127.0.0.1:{site.port}/log-in/")
    for name, value in CREDENTIALS.items():
        page.locator(f"[name={name}]").fill(value)
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url(f"http://127.0.0.1:{site.port}/")
    assert page.evaluate(WITH_SESSION, ["/api/v1/", "include"])[0] == 200
    page.goto(elsewhere)
    api = api_of(site)
    assert page.evaluate(WITH_SESSION, [api, "include"]) == "TypeError"
    assert page.evaluate(WITH_SESSION, [api, "same-origin"]) == [401, "not_authenticated"]
    assert page.evaluate(SOURCE_WITH_SESSION, [api]) == "refused"
