"""How a tab calls its player: a sound and a notification, both once wanted, of several tabs by one."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live_updates import send
from tests.browser.test_shared_stream import BrowserOf, browser_of, guest, open_seek, site
from tests.served import Served

__all__ = ["browser_of", "site"]

pytestmark = pytest.mark.browser

NOTE_CALLS = """
window.calls = [];
window.isHidden = false;
Object.defineProperty(Document.prototype, "hidden", { get: () => window.isHidden });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) {
  window.calls.push("note");
  return start.apply(this, given);
};
window.Notification = class extends EventTarget {
  static permission = "default";
  static asked = 0;
  static async requestPermission() {
    Notification.asked += 1;
    return (Notification.permission = localStorage.getItem("answer") ?? "granted");
  }
  constructor(title, { body }) {
    super();
    window.calls.push(`${title} ${body}`);
    window.notice = this;
  }
  close() {}
};
"""


HIDE = "window.isHidden = true; document.dispatchEvent(new Event('visibilitychange'))"


def calls(page: Page) -> Any:
    return page.evaluate("window.calls")


def wait_for_calls(page: Page, number: int) -> None:
    page.wait_for_function("number => window.calls.length === number", arg=number, polling=100)


def choose(page: Page, label: str, answer: str = "granted") -> None:
    page.evaluate("answer => localStorage.setItem('answer', answer)", answer)
    page.get_by_label(label).click()


def test_one_tab_calls_as_its_player_wants_and_leads_to_the_match(
    site: Served, browser_of: BrowserOf, complaints: list[str]
) -> None:
    context = browser_of()
    context.add_init_script(NOTE_CALLS)
    context.on("console", lambda message: complaints.extend([message.text] if message.type == "warning" else []))
    shown, other = context.new_page(), context.new_page()

    def begin_match(number: int) -> None:
        """Have somebody take a game of the player, who is shown the profile meanwhile."""
        seek = open_seek(shown)
        shown.goto("/profile/")
        shown.get_by_role("heading", name="Calls in this browser").click()
        for page, is_hidden in ((shown, number > 2), (other, number > 1)):
            page.evaluate(HIDE if is_hidden else "")
        send(site, f"seeks/{seek}/take/", {}, guest(site))
        expect(shown.locator("#turns")).to_have_text(f"{number} to move")

    # Nothing calls unless it is wanted, and a refusal of the browser is said.
    other.goto("/rules/")
    begin_match(1)
    shown.get_by_role("button", name="Close").click()
    choose(shown, "Show a notification", answer="denied")
    expect(shown.get_by_role("alert")).to_contain_text("does not let this site show notifications")
    expect(shown.get_by_label("Show a notification")).not_to_be_checked()
    assert (calls(shown), calls(other)) == ([], [])
    choose(shown, "Play a sound")
    choose(shown, "Show a notification")
    wait_for_calls(shown, 2)

    other.reload()
    begin_match(2)
    wait_for_calls(shown, 2)
    assert (calls(shown), calls(other)) == (["note", "note"], [])

    begin_match(3)
    wait_for_calls(shown, 3)
    assert (calls(shown), calls(other)) == (["note", "note", "Your match has begun. 3 to move"], [])
    shown.evaluate("window.notice.dispatchEvent(new Event('click'))")
    shown.wait_for_url("**/matches/*/")
    assert complaints == []
