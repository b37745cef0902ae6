"""A coach who plays on the match page as a person does."""

import random
import re

from playwright.sync_api import Page, Response, expect

from matches.models import Status
from matches.selectors.matches import get_match

MAX_CLICKS = 20
NEWS = re.compile(r"/updates/\?since=")

PRESSED = 0.8
"""The chance that a button is pressed that plays something at once, where spaces can be clicked as well."""


def _is_news(response: Response) -> bool:
    """Return whether a page asked for news, rather than only let its player count as present."""
    return response.request.method == "GET" and NEWS.search(response.url) is not None


class Coach:
    """Clicks spaces of the board and the buttons beside it. Scores when possible, else plays at random."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.source = random.Random(seed)
        self.confirm = page.locator("#confirm")
        self.undo = page.locator("#undo")
        self.choices = page.locator("#choices button")
        self.task = page.locator("#task")
        self.refusal = page.locator("#refusal")
        self.result = page.locator("#result")
        self.wait()

    def wait(self) -> None:
        """Wait until the page has nothing left to do."""
        expect(self.page.locator("#match:not([aria-busy])")).to_be_attached()

    def look(self) -> None:
        """Come back to the page, which makes it ask for news at once, until it shows the match as it is stored."""
        match = get_match(self.match_id)
        if match.status == Status.PLAYING:
            self.ask_for_news()
            self._wait_for_ply(match.ply)
        else:
            # A page that knows of the end already does not ask any more.
            self._come_back()
            expect(self.result).to_be_visible()
        self.wait()

    def ask_for_news(self) -> None:
        """Come back to the page, and wait until its question for news is answered."""
        with self.page.expect_response(_is_news):
            self._come_back()

    def _come_back(self) -> None:
        self.page.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')); }")

    @property
    def match_id(self) -> int:
        return int(self.page.url.split("/matches/")[1].split("/")[0])

    @property
    def ply(self) -> int:
        return int(self.page.locator("#typed [name=ply]").input_value())

    @property
    def to_act(self) -> bool:
        return self.page.locator("#typing").is_visible()

    @property
    def over(self) -> bool:
        # The page stops asking for news before it shows that the match is over.
        self.wait()
        return self.result.is_visible()

    def space(self, name: str):
        return self.page.locator(f'.space[data-space="{name}"]')

    def reachable(self, kind: str = "") -> list[str]:
        """Return the names of the spaces that may be clicked, or only of those whose marks are of one kind."""
        selector = f".spots .{kind}" if kind else ".space.active"
        return self.page.eval_on_selector_all(selector, "spots => spots.map((spot) => spot.dataset.space)")

    def click(self, *names: str) -> None:
        for name in names:
            self.space(name).click()
            self.wait()

    def compose_move(self) -> None:
        """Click until there is a move to confirm."""
        for _click in range(MAX_CLICKS):
            if self.confirm.is_visible():
                return
            choices = self.reachable("joined") or self.reachable("target") or self.reachable()
            self.click(self.source.choice(choices))
        raise AssertionError(f"no move came of {MAX_CLICKS} clicks: {self.refusal.text_content()}")

    def take_turn(self) -> None:
        before = self.ply
        if self.choices.first.is_visible() and (not self.reachable() or self.source.random() < PRESSED):
            self.choices.first.click()
        else:
            self.compose_move()
            self.confirm.click()
        self._wait_for_ply(before + 1)
        self.wait()

    def _wait_for_ply(self, ply: int) -> None:
        self.page.wait_for_function("ply => Number(document.querySelector('#typed [name=ply]').value) >= ply", arg=ply)
