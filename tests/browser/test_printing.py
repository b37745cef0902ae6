"""Competitions on paper: tables, crosstables and brackets fit A4, and nothing else is printed."""

import re

import pytest
from playwright.sync_api import expect

from tests.marks import nightly
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.entries.services.entry_imports import import_entry_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A4 = {"width": 703, "height": 1032}
"""A sheet without its margins, in pixels of print."""


@pytest.fixture
def paper(open_page):
    """Open a page as it is printed."""

    def open_as_printed(path):
        page = open_page(None, path, viewport=A4)
        page.emulate_media(media="print")
        return page

    return open_as_printed


def sheets_of(page):
    """Return how many sheets of paper the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_a_bracket_of_64_is_readable_on_one_sheet(paper, db):
    verbs.start_cup(64, legs=1)
    page = paper("/cups/cup/")
    for gone in (".header", ".footer", ".share"):
        expect(page.locator(gone)).to_be_hidden()
    drawing = page.locator("svg.bracket").bounding_box()
    assert drawing["width"] <= A4["width"]
    assert drawing["y"] + drawing["height"] <= A4["height"]
    letters = page.evaluate(
        "() => { const text = document.querySelector('.bracket .name');"
        "return parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a }"
    )
    assert letters > 7


def test_a_bracket_of_128_goes_on_on_a_second_sheet(paper, db):
    verbs.start_cup(128, legs=1)
    page = paper("/cups/cup/")
    expect(page.locator("svg.sheet")).to_have_count(2)
    for sheet in page.locator("svg.sheet").all():
        box = sheet.bounding_box()
        assert (box["width"] <= A4["width"], 700 < box["height"] <= A4["height"]) == (True, True)
    frames = "() => getComputedStyle(document.querySelector('#drawing .frame')).stroke"
    assert page.evaluate(frames) != "none"
    assert sheets_of(page) >= 2


@pytest.mark.nightly
def test_a_bracket_of_4_shares_its_sheet(paper, db):
    verbs.start_cup(4)
    assert sheets_of(paper("/cups/cup/")) == 1


@pytest.mark.parametrize("size", [16, *nightly([4])])
def test_a_table_and_its_crosstable_are_no_wider_than_the_sheet(paper, db, size):
    verbs.start_cup(size, **ROUND_ROBIN)
    page = paper("/cups/cup/")
    for table in page.locator("table").all():
        assert table.bounding_box()["width"] <= A4["width"]
    expect(page.locator(".standings th.wide").first).to_be_visible()


def test_the_table_of_a_ladder_has_all_its_columns_on_paper(paper, db):
    verbs.points_ladder(12, results=8)
    page = paper("/ladders/ladder/")
    assert page.locator("table.standings").bounding_box()["width"] <= A4["width"]
    expect(page.locator(".standings td.wide").first).to_be_visible()


def test_all_rows_of_a_long_table_are_printed_under_a_head_that_each_sheet_repeats(paper, db):
    names = "\n".join(player.username for player in verbs.make_players(128))
    cup = verbs.make_cup(format="swiss", rounds=3)
    import_entry_list(competition_id=cup.pk, text=names, actor=None, now=NOON)
    verbs.start(cup)
    verbs.recompute_tables(competition_id=cup.pk, now=NOON)
    page = paper("/cups/cup/?rows=all")
    table = page.locator("table.standings")
    expect(table.locator("tbody tr")).to_have_count(128)
    assert table.bounding_box()["width"] <= A4["width"]
    assert page.evaluate("() => getComputedStyle(document.querySelector('.standings thead')).display") == (
        "table-header-group"
    )
    expect(page.get_by_text("Show page by page")).to_be_hidden()
    assert sheets_of(page) > table.bounding_box()["height"] / A4["height"] > 2
