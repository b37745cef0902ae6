"""Moments are shown in the zone of the reader's browser, on what the page has and on what it gets later."""

import re
from datetime import UTC, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from matches.services.resignation import resign
from tests.tournaments.verbs import make_cup
from tournaments.models import Cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENING = datetime(2030, 3, 12, 18, 30, tzinfo=UTC)
UTC_WORDS = "12 Mar 2030, 18:30 UTC"
TOKYO_WORDS = "13 Mar 2030, 03:30"


@pytest.fixture
def cup(transactional_db: None) -> Cup:
    return make_cup(starts_at=EVENING)


def test_without_javascript_a_moment_is_in_utc(open_page, cup):
    page = open_page(None, "/cups/cup/", timezone_id="Asia/Tokyo", java_script_enabled=False)
    expect(page.locator("time").first).to_have_text(UTC_WORDS)


def test_a_moment_is_in_the_readers_zone_also_one_that_comes_later(open_page, cup):
    page: Page = open_page(None, "/cups/cup/", timezone_id="Asia/Tokyo")
    time = page.locator("time").first
    expect(time).to_have_text(TOKYO_WORDS)
    expect(time).to_have_attribute("title", UTC_WORDS)
    time.evaluate(
        """(time, words) => {
          const fresh = time.cloneNode();
          fresh.removeAttribute("title");
          fresh.textContent = words;
          time.replaceWith(fresh);
        }""",
        UTC_WORDS,
    )
    expect(time).to_have_text(TOKYO_WORDS)


def test_the_browser_guesses_the_zone_of_a_player_once(open_page, anna):
    page: Page = open_page(anna, "/privacy/", timezone_id="Asia/Tokyo")
    guess = page.locator("#guess-zone")
    expect(guess).to_have_attribute("data-is-known", "")
    anna.refresh_from_db()
    assert anna.time_zone == "Asia/Tokyo"
    page.goto("/profile/")
    expect(page.locator("#time-zones option[value='Europe/Prague']")).to_have_count(1)
    assert guess.count() == 0


def test_a_list_with_moments_that_has_not_changed_stays_as_it_is(open_page, anna, match):
    resign(match_id=match.pk, player=anna, now=timezone.now())
    page = open_page(anna, "/", timezone_id="Asia/Tokyo")
    moment = page.locator("[data-live] time")
    expect(moment).to_have_attribute("title", re.compile(r"^\d+ \w+ \d+$"))
    moment.evaluate("element => { element.wasKept = true }")
    with page.expect_response(lambda response: "live=1" in response.url) as fetched:
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    fetched.value.finished()
    page.wait_for_timeout(200)
    assert moment.evaluate("element => element.wasKept")
