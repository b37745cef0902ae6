"""Tests that axe-core finds nothing on any page: narrow and wide, light and dark.

It is asked about all pages at night, and otherwise about every eighth of those that differ by more than their words.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from matches.models import MatchAnalysis
from players.models import Player
from tests.browser.outlines import outline
from tests.config.season import Season, begun_season
from tests.config.test_n_plus_one import ROUTES
from tests.marks import nightly
from tests.matches.analysed import store_analysis
from tests.tournaments.verbs import play_some
from tournaments.running.services.ladder_pairings import pair_ladder

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW: ViewportSize = {"width": 360, "height": 740}
WIDE: ViewportSize = {"width": 1280, "height": 800}
LOOKS: list[tuple[ViewportSize, Literal["light", "dark"]]] = [(NARROW, "light"), (WIDE, "dark")]
"""Both widths and both colour schemes: what depends on one of them depends on no pair of them."""

LEVELS_A_AND_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ALL = [*LEVELS_A_AND_AA, "best-practice"]
LEFT_TO_ASK_FOR = ["label-content-name-mismatch", "target-size"]
WHAT_LOOKS_CHANGE = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast", "target-size", "scrollable-region-focusable"]},
}
HAS_CONTENT = re.compile(r'<main [^>]*\bid="content"|\bid="content-start"')
GAMES_OF_FORM = 4
SITE = [route for route in ROUTES if not route.startswith(("admin/", "api/v1/")) or route == "api/v1/docs/"]


ADMIN = [route for route in ROUTES if route.startswith("admin/")]
NOT_OURS = re.compile(r"/admin/(auth/group/(add|\d+)|players/player/\d+)/")
"""The pages where superusers choose permissions: Django's own script names its hints by what no span may have."""


@pytest.fixture
def season(transactional_db: None) -> Iterator[Season]:
    """Competitions with enough results to fill their tables, and a match with its analysis."""
    with begun_season() as season:
        for seed in range(GAMES_OF_FORM):
            pair_ladder(ladder_id=season.ladders[0].pk, now=timezone.now())
            play_some(season.ladders[0], 20, seed=seed)
        MatchAnalysis.objects.all().delete()
        store_analysis(season.matches[0], moves=20)
        yield season


def text_for(client: Client, url: str) -> str | None:
    """Return the page of the site at a URL, empty for something else or a part of a page; none if it is refused."""
    response = client.get(url)
    if response.status_code != 200:
        return None
    if not response["Content-Type"].startswith("text/html"):
        return ""
    text = b"".join(response).decode()
    return text if HAS_CONTENT.search(text) else ""


def client_of(viewer: Player | None) -> Client:
    client = Client()
    if viewer is not None:
        client.force_login(viewer)
    return client


class Choice:
    """Chooses the pages to be judged."""

    def __init__(self, every: int) -> None:
        self.seen = self.new = 0
        self.every = every
        self._parts: set[str] = set()

    def takes(self, text: str) -> bool:
        """Return whether to judge a page: all, or of those with a part that none before them had one in so many."""
        self.seen += 1
        parts = outline(text)
        is_new = not parts <= self._parts
        self._parts |= parts
        self.new += is_new
        return self.every == 1 or (is_new and self.new % self.every == 1)


def findings(page: Page, tags: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what axe-core finds on a page in every look by the rules with these tags: the rule, and the element."""
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "runOnly": {"type": "tag", "values": tags},
        "rules": {rule: {"enabled": True} for rule in LEFT_TO_ASK_FOR},
    }
    page.evaluate(Axe().axe_script)
    for size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for violation in page.evaluate("options => axe.run(options).then((found) => found.violations)", options):
            for node in violation["nodes"]:
                yield f"{violation['id']} {size['width']} {scheme}", f"{node['target']} {node['html'][:160]}"
        options = WHAT_LOOKS_CHANGE


def judge(
    choice: Choice, pages: list[tuple[Player | None, Page]], urls: Iterable[str], tags: list[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return what is found on the pages that are chosen, by their URLs: nothing for most of them."""
    found = {}
    viewers = [(client_of(viewer), page) for viewer, page in pages]
    for url in urls:
        # The first of them who is not refused sees everything that is to be judged.
        answers = ((text_for(client, url), page) for client, page in viewers)
        text, page = next(((text, page) for text, page in answers if text is not None), ("", None))
        if page is not None and text and choice.takes(text):
            page.goto(url)
            expect(page.locator("[aria-busy]")).to_have_count(0)
            expect(page.locator("main#content, #content-start")).to_have_count(1)
            found[url] = sorted(set(findings(page, tags)))
    return found


@pytest.fixture(params=[8, *nightly([1])], ids=["some", "all"])
def choice(request) -> Choice:
    return Choice(request.param)


def test_axe_finds_nothing_on_any_page_narrow_or_wide_light_or_dark(season, choice, open_page):
    pages = [(viewer, open_page(viewer, "/", viewport=NARROW)) for viewer in (season.player, season.boss, None)]
    found = judge(choice, pages, [url for route in SITE for url in season.urls(route)], ALL)
    assert choice.seen > 60
    assert choice.new > 45
    assert len(found) > 45 // choice.every
    assert {url: each for url, each in found.items() if each} == {}


def test_axe_finds_nothing_in_the_organisers_admin(season, choice, open_page):
    urls = [url for route in ADMIN for url in season.urls(route) if not NOT_OURS.match(url)]
    pages = [(season.boss, open_page(season.boss, "/admin/", viewport=NARROW))]
    found = judge(choice, pages, urls, LEVELS_A_AND_AA)
    assert choice.seen > 40
    assert choice.new > 15
    assert len(found) > 15 // choice.every
    assert {url: each for url, each in found.items() if each} == {}
