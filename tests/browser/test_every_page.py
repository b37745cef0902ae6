"""Every page in a real browser: narrow, without complaints of the console, and its dice worked out again."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from matches.models import MatchAnalysis
from players.models import Player
from tests.marks import nightly
from tests.matches.analysed import store_analysis
from tests.matches.play import play_randomly, set_up

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def finished(match):
    over = play_randomly(set_up(match))
    store_analysis(over, moves=20)
    return over


def test_the_readers_browser_works_out_the_dice_itself(finished, open_page):
    page = open_page(None, f"{finished.get_absolute_url()}dice/")
    expect(page.locator("#browser-verdict")).to_contain_text("agrees")
    expect(page.locator("[data-roll].holds")).to_have_count(finished.rolls)


@pytest.mark.parametrize("path", ["/admin/", *nightly(["/seeks/"])])
def test_the_colours_are_chosen_by_a_button_and_kept(open_page, transactional_db, path):
    boss = Player.objects.create(username="boss", is_staff=True)
    page = open_page(boss, path, color_scheme="light")
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(background)
    page.reload()
    assert light != dark == page.evaluate(background)


def test_a_seek_with_a_time_of_ones_own_is_opened(anna, open_page):
    page = open_page(anna, "/seeks/")
    expect(page.get_by_label("Each side has")).to_be_hidden()
    page.get_by_label("Custom").check()
    page.get_by_label("Each side has").fill("45")
    page.get_by_role("button", name="Post game").click()
    expect(page.get_by_text("45 minutes + 30 seconds a turn")).to_be_visible()


def test_one_goes_along_the_curve_of_an_analysis_by_keyboard_and_to_the_position(finished, open_page, complaints):
    page = open_page(None, f"{finished.get_absolute_url()}analysis/")
    moves = page.locator("a.move")
    expect(page.locator("a.move[tabindex='0']")).to_have_count(1)
    moves.last.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#readout")).to_have_text(moves.nth(17).get_attribute("data-line") or "")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/matches/\d+/\?ply=18$"))
    assert complaints == []


def test_the_page_follows_an_analysis_that_goes_on(finished, open_page):
    analysis = MatchAnalysis.objects.filter(match=finished)
    analysis.update(status="running", judged=5, finished_at=None)
    page = open_page(None, f"{finished.get_absolute_url()}analysis/")
    expect(page.get_by_text(f"5 of {finished.ply} moves have been analysed")).to_be_visible()
    page.locator("a.move").first.focus()
    reached = page.locator("a.move:focus").get_attribute("href") or ""
    analysis.update(status="done", judged=20, finished_at=timezone.now())
    expect(page.get_by_text("The match is being analysed")).to_be_hidden()
    expect(page.locator("a.move")).to_have_count(20)
    expect(page.locator("a.move:focus")).to_have_attribute("href", reached)
    expect(page.locator("a.move[tabindex='0']")).to_have_attribute("href", reached)
