"""The match page shows what matters at once, on a phone and on a wide screen: nothing covers anything else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from matches.models import Match
from matches.services import offer_rematch
from matches.services.resignation import resign
from players.models import Player
from tests.browser.coach import Coach
from tests.browser.conftest import PHONE, OpenPage
from tests.marks import nightly
from tests.matches.play import act, play_randomly, set_up

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = {"width": 1280, "height": 800}
SCREENS = {"phone": PHONE, "wide": WIDE}
TO_BE_SEEN = ".board, .strip .name, .strip .score, .strip .clock"
LONG_REFUSAL = "No player can walk there: " + "the way is barred by a player who stands on it, " * 4

COVERED = """
selector => [...document.querySelectorAll(selector)].flatMap((element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const parts = [0.1, 0.25, 0.5, 0.75, 0.9];
  const points = parts.flatMap((x) => parts.map((y) => [x, y]));
  return points
    .map(([x, y]) => [left + x * (right - left), top + y * (bottom - top)])
    .filter(([x, y]) => !element.contains(document.elementFromPoint(x, y)))
    .map(([x, y]) => `${element.getAttribute("class")} at ${Math.round(x)}, ${Math.round(y)}`);
})
"""
"""Points of these elements at which something else is seen, or nothing because they are not on the screen."""


SHOW_NOTICE = """
() => {
  const notice = document.getElementById("taken");
  notice.querySelector("[role=status]").textContent = notice.dataset.text;
  notice.hidden = false;
}
"""
"""Say that a game was taken."""

WIDER_LETTERS = """
addEventListener("DOMContentLoaded", () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { letter-spacing: .07em !important; }");
  document.adoptedStyleSheets.push(sheet);
});
"""
"""Make all texts about 15 % wider, as another typeface may be where the site's own has not come."""


@pytest.fixture
def anna(transactional_db: None) -> Player:
    """Make somebody with the longest name that there may be."""
    return Player.objects.create(username="Annabella-Wolkowska1")


@pytest.fixture(params=["phone", *nightly(["wide"])])
def look(request: pytest.FixtureRequest, open_page: OpenPage) -> Callable[[Player, Match], Page]:
    """Look at a match on a screen of one of the sizes."""

    def open_match(player: Player, match: Match) -> Page:
        page = open_page(player, match.get_absolute_url(), viewport=SCREENS[request.param])
        page.context.add_init_script(WIDER_LETTERS)
        page.reload()
        expect(page.locator("#match:not([aria-busy])")).to_be_attached()
        return page

    return open_match


def covered(page: Page, selector: str = TO_BE_SEEN) -> Any:
    page.evaluate("scrollTo(0, 0)")
    return page.evaluate(COVERED, selector)


def overflowing(page: Page, selector: str) -> list[str]:
    """Return the texts that are cut."""
    return page.eval_on_selector_all(
        selector,
        """all => all.filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1)
                      .map((it) => it.textContent)""",
    )


def test_a_running_match_is_seen_whole_whatever_the_panel_says(
    match: Match, anna: Player, piotr: Player, look: Callable[[Player, Match], Page]
) -> None:
    running = set_up(match)
    while not running.state.stage.startswith("minute") or running.side != running.side_of(anna.pk):
        running = act(running)
    page = look(anna, running)
    assert covered(page) == []
    assert overflowing(page, ".strip .name, .header .who, #task, #action-title") == []
    Coach(page).compose_move()
    assert covered(page) == []
    assert covered(page, "#confirm") == []
    page.get_by_text("Type the move").click()
    page.get_by_label("Move", exact=True).fill("@a1")
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_be_visible()
    page.evaluate("text => { document.getElementById('refusal').textContent = text; }", LONG_REFUSAL)
    assert covered(page) == []
    assert covered(page, "#refusal") == []
    page.reload()
    page.locator("body").press("ArrowLeft")
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#review")).to_be_visible()
    assert covered(page) == []
    assert covered(page, "#review") == []
    page.evaluate("document.getElementById('review-text').textContent = 'After move 1152 of 1153'")
    assert covered(page) == []
    assert covered(page, "#review") == []
    waiting = look(piotr, running)
    assert covered(waiting) == []
    assert overflowing(waiting, ".strip .name, .header .who, #task, #action-title") == []


def test_a_game_that_was_taken_is_announced_without_covering_the_match(
    match: Match, anna: Player, look: Callable[[Player, Match], Page]
) -> None:
    page = look(anna, set_up(match))
    before = page.locator(".board").bounding_box()
    page.evaluate(SHOW_NOTICE)
    assert covered(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    if page.viewport_size == PHONE:
        assert page.locator(".board").bounding_box() == before


def test_looking_back_the_panel_goes_on_saying_whose_turn_it_is(
    match: Match, anna: Player, piotr: Player, look: Callable[[Player, Match], Page]
) -> None:
    running = set_up(match)
    while not running.state.stage.startswith("minute") or running.side != running.side_of(anna.pk):
        running = act(running)
    stage = running.state.stage
    for player, headline in ((anna, f"Your turn · {stage}"), (piotr, f"{anna.username} to move · {stage}")):
        page = look(player, running)
        page.get_by_role("button", name="First position").click()
        expect(page.locator("#review-text")).to_have_text(f"After move 0 of {running.ply}")
        expect(page.locator("#action-title")).to_have_text(headline)
        page.reload()
        expect(page.locator("#action-title")).to_have_text(headline)
        inside = "document.querySelector('.board-frame').contains(document.getElementById('review'))"
        assert not page.evaluate(inside)


def test_no_frame_is_drawn_around_the_page(match: Match, anna: Player, look: Callable[[Player, Match], Page]) -> None:
    page = look(anna, set_up(match))
    page.locator("#moves-title").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("main:focus-visible")).to_be_attached()
    assert page.locator("main").evaluate("main => getComputedStyle(main).outlineStyle") == "none"


def test_result_rematch_and_the_opponents_offer_are_seen_at_once_when_a_match_ends(
    match: Match, anna: Player, piotr: Player, look: Callable[[Player, Match], Page]
) -> None:
    running = act(act(match, "@d1,d5,c3,f7,g4"))
    pages = [look(anna, running), look(piotr, running)]
    resign(match_id=match.pk, player=piotr, now=timezone.now())
    for page in pages:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#result-title")).to_be_visible()
        assert covered(page) == []
        assert covered(page, "#result-title, #rematch button") == []
    offer_rematch(match_id=match.pk, player=piotr, now=timezone.now())
    page = pages[0]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    offer = page.locator("#rematch p")
    expect(offer).to_have_text("piotr offers you a rematch.")
    assert covered(page, "#rematch p, #rematch button") == []
    assert covered(page) == []


def test_a_finished_match_is_looked_back_at_without_covering_it(
    match: Match, anna: Player, look: Callable[[Player, Match], Page]
) -> None:
    page = look(anna, play_randomly(set_up(match)))
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#review")).to_be_visible()
    assert covered(page) == []
    assert covered(page, "#review") == []
    page.get_by_text("Back to the current position").click()
    expect(page.locator("#action")).to_be_hidden()


def test_it_is_said_that_the_server_cannot_be_reached_as_long_as_that_is_true(
    match: Match, anna: Player, look: Callable[[Player, Match], Page]
) -> None:
    page = look(anna, set_up(match))
    page.context.set_offline(True)
    page.get_by_role("button", name="First position").click()
    expect(page.locator("#refusal")).to_have_text("We cannot reach the server. Try again.")
    page.wait_for_timeout(2500)
    expect(page.locator("#refusal")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#refusal")).to_be_hidden()
