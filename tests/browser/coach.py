"""A coach who plays on the match page as a person does."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Page, Response, expect

MAX_CLICKS = 20
NEWS = re.compile(r"/updates/\?since=")

PRESSED = 0.8
"""How often a button is pressed that plays something at once, where spaces can be clicked as well."""


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
        """Come back to the page, which makes it ask for news at once, until it shows them."""
        answer = self.ask_for_news()
        if answer.ok:
            self._wait_for_ply(answer.json()["match"]["ply"])
        self.wait()

    def ask_for_news(self) -> Response:
        """Come back to the page, and return what its question for news is answered with."""
        with self.page.expect_response(NEWS) as answered:
            self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        return answered.value

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
