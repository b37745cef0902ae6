"""A large bracket opens at the reader's own tie."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.marks import nightly
from tests.tournaments.verbs import start_cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IS_SHOWN = """
(box) => {
  const own = box.getBoundingClientRect();
  const frame = box.closest(".bracket-frame").getBoundingClientRect();
  return own.top >= frame.top && own.bottom <= frame.bottom && own.left >= frame.left && own.right <= frame.right;
}
"""


@pytest.fixture
def last(db):
    """Return who plays in the last tie of the first round of a bracket of 64."""
    cup, _entries = start_cup(64, legs=1)
    tie = cup.first_stage.groups.get().rounds.get(number=1).ties.select_related("first__player").order_by("-slot")[0]
    return tie.first.player


@pytest.mark.parametrize("viewport", [PHONE, *nightly([{"width": 1280, "height": 800}])])
def test_a_large_bracket_opens_at_my_tie_and_the_page_at_its_top(open_page, complaints, last, viewport):
    page = open_page(last, "/cups/cup/", viewport=viewport)
    own = page.locator("a.box:has(rect.mine)").first
    page.wait_for_function("() => document.querySelector('.bracket-frame').scrollTop > 0")
    assert own.evaluate(IS_SHOWN)
    assert page.evaluate("window.scrollY") == 0
    assert complaints == []


def test_a_link_leads_to_my_tie_without_scripts(open_page, last):
    page = open_page(last, "/cups/cup/", viewport=PHONE, java_script_enabled=False)
    page.locator(".own-tie a").click()
    expect(page.locator("a.box:target")).to_be_in_viewport()


def test_a_player_outside_the_cup_sees_the_top_of_the_bracket(open_page, last, anna):
    page = open_page(anna, "/cups/cup/")
    expect(page.locator(".own-tie")).to_have_count(0)
    assert page.evaluate("document.querySelector('.bracket-frame').scrollTop") == 0
