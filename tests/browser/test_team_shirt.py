"""The shirt of a team is shown as it is being chosen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.tournaments.teams.leagues import make_teams
from tournaments.models import Team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PREVIEW = ".shirt-preview .team-shirt"
FILL = "(shirt, part) => getComputedStyle(shirt.querySelector(part)).fill"


def fills(page: Page) -> list[str]:
    return [page.locator(PREVIEW).evaluate(FILL, part) for part in (".first", ".second")]


def test_the_preview_follows_pattern_and_colours(open_page, complaints, anna):
    page = open_page(anna, "/found-team/", viewport=PHONE)
    expect(page.locator(PREVIEW)).to_have_class("shirt team-shirt first-red second-white")
    # A plain shirt has its second colour at the edges only.
    expect(page.locator(f"{PREVIEW} .second")).to_have_count(0)
    page.get_by_label("halves").check()
    page.get_by_label("First colour").select_option("green")
    page.get_by_label("Second colour").select_option("black")
    assert fills(page) == ["rgb(31, 138, 76)", "rgb(27, 27, 29)"]
    page.get_by_label("plain", exact=True).check()
    expect(page.locator(f"{PREVIEW} .edge")).to_have_count(1)
    expect(page.locator(PREVIEW)).to_have_class("shirt team-shirt first-green second-black")
    assert complaints == []


def test_it_begins_with_the_shirt_that_the_team_has(open_page, complaints, transactional_db):
    (team,) = make_teams(1, 1)
    Team.objects.update(pattern="hoops", first_colour="sky", second_colour="navy")
    page = open_page(team.captain, f"{team.get_absolute_url()}edit/")
    expect(page.locator(PREVIEW)).to_have_class("shirt team-shirt first-sky second-navy")
    assert fills(page) == ["rgb(134, 197, 240)", "rgb(28, 47, 92)"]
    assert complaints == []


def test_without_scripts_a_team_is_founded_as_well(open_page, anna):
    page = open_page(anna, "/found-team/", viewport=PHONE, java_script_enabled=False)
    expect(page.locator(".team-shirt")).to_have_count(0)
    page.get_by_label("Name").fill("Lions")
    page.get_by_label("sash").check()
    page.get_by_role("button", name="Create the team").click()
    expect(page.locator("h1 .team-shirt")).to_have_class("shirt team-shirt first-red second-white large")
