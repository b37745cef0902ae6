"""A club shows a competition in a page of its own site."""

import pytest
from playwright.sync_api import expect

from tests.browser.elsewhere import serve_page
from tests.tournaments.verbs import play_some, points_ladder, start_cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def club_page(live_server, path):
    frame = f'<iframe src="{live_server.url}{path}" width="800" height="600"></iframe>'
    return f"<!doctype html><title>Our club</title>{frame}"


def test_a_page_elsewhere_shows_a_bracket_whose_links_open_a_new_tab(open_page, live_server, complaints, anna):
    cup, _entries = start_cup(8)
    play_some(cup, 4)
    with serve_page(club_page(live_server, "/cups/cup/embed/")) as url:
        page = open_page(anna, url)
        frame = page.frame_locator("iframe")
        expect(frame.locator("svg.bracket")).to_be_visible()
        assert frame.locator("body").inner_text().count("anna") == 0
        with page.expect_popup() as opened:
            frame.locator("a.box").first.click()
        assert opened.value.url.startswith(f"{live_server.url}/cups/cup/#tie-")
        assert page.url == url
    assert complaints == []


def test_a_page_elsewhere_shows_a_ladder(open_page, live_server, complaints, db):
    points_ladder(6, results=4)
    with serve_page(club_page(live_server, "/ladders/ladder/embed/")) as url:
        frame = open_page(None, url).frame_locator("iframe")
        expect(frame.locator("table.standings tbody tr")).to_have_count(6)
    assert complaints == []


def test_no_other_page_is_shown_elsewhere(open_page, live_server, db):
    points_ladder(4, results=1)
    with serve_page(club_page(live_server, "/ladders/ladder/")) as url:
        page = open_page(None, url)
        assert page.frame_locator("iframe").locator("table.standings").count() == 0
