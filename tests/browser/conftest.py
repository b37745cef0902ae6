"""Fixtures of the browser tests: a real Chromium, and coaches who look at their match in it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from matches.clock import CORRESPONDENCE
from matches.models import Match
from matches.services import start_match
from players.models import Player
from tests.browser.coach import Coach

SEED = bytes(range(32))
PHONE = {"width": 360, "height": 740}

TIMEOUT = 30_000
"""Milliseconds that pages have to show what is expected: as many as Playwright gives them for what is done on them."""

UNUSED = (
    # Two pages of Chromium's own, made anew for the address bar of each window that nobody sees.
    "WebUIOmniboxPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxAimPopup",
    # A process kept ready for the next page, made anew as soon as one is opened.
    "SpareRendererForSitePerProcess",
    # What Playwright switches off by the same switch, of which the last one counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""Features of Chromium that are switched off."""

SWITCHES = [
    "--no-sandbox",
    # Scripts that run once a page, axe-core above all, are not worth the time that making fast code of them takes.
    "--js-flags=--no-opt,--no-maglev,--always-sparkplug",
    f"--disable-features={','.join(UNUSED)}",
]

OpenPage = Callable[..., Page]

expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium, as long as the tests of this package run.

    Playwright's synchronous interface keeps a loop in this thread, beside which Django has to be told that it may touch
    the database.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=chromium, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def anna(transactional_db: None) -> Player:
    return Player.objects.create(username="anna")


@pytest.fixture
def piotr(transactional_db: None) -> Player:
    return Player.objects.create(username="piotr")


@pytest.fixture
def match(anna: Player, piotr: Player) -> Match:
    """Return a match of anna (yellow) and piotr (red); its dice follow from its number."""
    return start_match(
        game="streetsoccer-board",
        yellow=anna,
        red=piotr,
        time_control=CORRESPONDENCE,
        now=timezone.now(),
        seed=SEED,
    )


@pytest.fixture
def complaints() -> list[str]:
    """Return what the consoles of all pages had to complain about: policy violations and faults of scripts among it."""
    return []


@pytest.fixture
def open_page(browser: Browser, live_server, complaints: list[str]) -> Iterator[OpenPage]:
    """Open a page of the site, as a player or as a visitor."""
    contexts: list[BrowserContext] = []

    def open_as(player: Player | None, path: str, *, has_worker: bool = False, **options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, reduced_motion="reduce", **options)
        if not has_worker:
            # A worker answers for the network, where tests stand in for it.
            context.add_init_script("delete Navigator.prototype.serviceWorker")
        contexts.append(context)
        if player is not None:
            client = Client()
            client.force_login(player)
            context.add_cookies(
                [
                    {"name": name, "value": morsel.value, "url": live_server.url}
                    for name, morsel in client.cookies.items()
                ]
            )
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.extend([message.text] if message.type in ("error", "warning") else []),
        )
        page.goto(path)
        return page

    yield open_as
    for context in contexts:
        context.close()


@pytest.fixture
def coach_of(open_page: OpenPage) -> Callable[..., Coach]:
    """Let a player look at a match."""

    def make(player: Player, match: Match, **options: Any) -> Coach:
        return Coach(open_page(player, match.get_absolute_url(), **options))

    return make
