"""Tests that axe-core finds nothing on any page: narrow and wide, light and dark; and that all fit on a phone.

It is asked about all pages at night, and otherwise about a few: a bracket, tables, a board, lists, and forms.
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
SOME = ["seeks/", "matches/<int:match_id>/", "my-turns/", "offline/", "cups/<slug:slug>/", "make/<slug:recipe>/"]
ADMIN = [route for route in ROUTES if route.startswith("admin/")]
SOME_OF_ADMIN = ["admin/tournaments/cup/", "admin/tournaments/cup/add/"]
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


def findings(page: Page, tags: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a narrow page: its width, and what axe-core finds in every look by these tags.

    Each as the rule, and the element.
    """
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "runOnly": {"type": "tag", "values": tags},
        "rules": {rule: {"enabled": True} for rule in LEFT_TO_ASK_FOR},
    }
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > NARROW["width"]:
        yield "width", f"{width} px"
    page.evaluate(Axe().axe_script)
    for size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for violation in page.evaluate("options => axe.run(options).then((found) => found.violations)", options):
            for node in violation["nodes"]:
                yield f"{violation['id']} {size['width']} {scheme}", f"{node['target']} {node['html'][:160]}"
        options = WHAT_LOOKS_CHANGE


def judge(
    pages: list[tuple[Player | None, Page]], urls: Iterable[str], tags: list[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return what is found on the pages, by their URLs: nothing for most of them."""
    found = {}
    viewers = [(client_of(viewer), page) for viewer, page in pages]
    for url in urls:
        # The first of them who is not refused sees everything that is to be judged.
        answers = ((text_for(client, url), page) for client, page in viewers)
        text, page = next(((text, page) for text, page in answers if text is not None), ("", None))
        if page is not None and text:
            page.set_viewport_size(NARROW)
            page.goto(url)
            expect(page.locator("[aria-busy]")).to_have_count(0)
            expect(page.locator("main#content, #content-start")).to_have_count(1)
            found[url] = sorted(set(findings(page, tags)))
    return found


@pytest.mark.parametrize("routes", [SOME, *nightly([SITE])], ids=["some", "all"])
def test_axe_finds_nothing_on_any_page_narrow_or_wide_light_or_dark(season, routes, open_page, complaints):
    pages = [(viewer, open_page(viewer, "/", viewport=NARROW)) for viewer in (season.player, season.boss, None)]
    found = judge(pages, [url for route in routes for url in season.urls(route)], ALL)
    assert len(found) >= min(len(routes), 60)
    assert ({url: each for url, each in found.items() if each}, complaints) == ({}, [])


@pytest.mark.parametrize("routes", [SOME_OF_ADMIN, *nightly([ADMIN])], ids=["some", "all"])
def test_axe_finds_nothing_in_the_organisers_admin(season, routes, open_page):
    urls = [url for route in routes for url in season.urls(route) if not NOT_OURS.match(url)]
    pages = [(season.boss, open_page(season.boss, "/admin/", viewport=NARROW))]
    found = judge(pages, urls, LEVELS_A_AND_AA)
    assert len(found) >= min(len(routes), 40)
    assert {url: each for url, each in found.items() if each} == {}
