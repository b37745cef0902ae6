"""A cup of groups and a knock-out, made in the admin in a real browser, with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from formats.grouping import GroupingOptions
from players.models import Player
from tests.browser.conftest import PHONE
from tournaments.models import Cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_staff_make_groups_and_a_knock_out_after_them(open_page, complaints, scripts):
    staff = Player.objects.create(username="olga", is_staff=True)
    page = open_page(staff, "/admin/tournaments/cup/add/", viewport=PHONE, java_script_enabled=scripts)
    page.get_by_role("link", name="Groups, then knock-out").click()
    expect(page.locator("#id_format")).to_have_value("round-robin")
    page.get_by_label("Name:").fill("Autumn Cup")
    page.get_by_label("Players in a group").fill("5")
    page.get_by_label("Or everybody with more than this percentage of the possible points").first.fill("40")
    page.get_by_label("Legs").fill("1")
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("Enter either how many go on, or the percentage of the points, not both.")).to_be_visible()
    page.get_by_label("Or everybody with more than this percentage of the possible points").first.fill("")
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    first, second = Cup.objects.get().stages.all()
    assert (first.grouping_options, second.options["legs"]) == (GroupingOptions(size=5), 1)

    page.locator("#id_stage-3-format").select_option("double-elimination")
    page.get_by_role("button", name="Show these stages").click()
    page.locator("#id_stage-2-advance-first").fill("3")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert [stage.format for stage in Cup.objects.get().stages.all()] == [
        "round-robin",
        "knock-out",
        "double-elimination",
    ]
    page.goto("/cups/autumn-cup/")
    expect(page.get_by_text("Round robin in groups of 5, then double elimination")).to_be_visible()
    expect(page.get_by_text("Groups of 5, each a round robin; the first two of each group go on")).to_be_visible()
    assert complaints == []
