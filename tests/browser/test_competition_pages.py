"""The pages of competitions on a phone: a ladder, cups of every shape, and what their organisers see."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.tournaments.verbs import enter_all, make_cup, play_some, points_ladder, start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATHS = [
    "/ladders/",
    "/ladders/ladder/",
    "/ladders/ladder/log/",
    "/ladders/ladder/organise/",
    "/cups/",
    "/cups/knock-out/",
    "/cups/knock-out/organise/",
    "/cups/all-meet-all/",
    "/players/",
]


@pytest.fixture
def organiser(anna):
    """Make an organiser of a ladder, a knock-out and a round robin, each with some results."""
    ladder, players = points_ladder(12, results=20)
    knock_out = make_cup(slug="knock-out", name="Knock-out of the long winter evenings")
    all_meet_all = make_cup(slug="all-meet-all", name="All meet all", format="round-robin")
    for cup in (knock_out, all_meet_all):
        enter_all(cup, players)
        start(cup)
        play_some(cup, 9)
    for competition in (ladder, knock_out, all_meet_all):
        competition.organisers.add(anna)
    return anna


def test_no_page_of_a_competition_is_wider_than_a_phone_and_no_console_complains(organiser, open_page, complaints):
    page = open_page(organiser, "/", viewport=PHONE)
    for path in PATHS:
        assert page.goto(path).status == 200
        expect(page.locator("[aria-busy]")).to_have_count(0)
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, PHONE["width"])
    assert complaints == []
