"""A club's evening, as a player without staff rights: from the home page to a running cup, and what goes wrong then."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Player
from tests.tournaments.verbs import finish_match, make_players, running, settle_all
from tournaments.making.draft_forms import LIVE
from tournaments.models import Cup, Entry, EntryStatus, Fixture

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHY = "As the club has said."


def act(page: Page, link: str, said: str) -> None:
    """Follow the link of an act, say why, do it, and read that it is done."""
    page.get_by_role("link", name=link, exact=True).first.click()
    if page.get_by_label("Reason").count():
        page.get_by_label("Reason").fill(WHY)
    page.get_by_role("button", name=link, exact=True).click()
    expect(page.get_by_text(said)).to_be_visible()


def replace_and_withdraw(page: Page) -> tuple[Entry, Entry]:
    """Give the place of one player to player-12, withdraw another, and return both."""
    first, second = Entry.objects.order_by("pk")[:2]
    page.goto(f"/cups/club-evening/organise/entries/?player={first}")
    page.get_by_role("link", name="Replace").first.click()
    page.get_by_role("combobox", name="Player").press_sequentially("player-12")
    page.get_by_role("option").first.wait_for()
    page.get_by_role("combobox", name="Player").press("Escape")
    page.get_by_label("Reason").fill(WHY)
    page.get_by_role("button", name="Replace").click()
    page.goto(f"/cups/club-evening/organise/entries/?player={second}")
    page.get_by_role("link", name="Withdraw").first.click()
    page.get_by_label("Reason").fill(WHY)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("has been withdrawn").or_(page.get_by_text("withdrawn")).first).to_be_visible()
    return first, second


@pytest.mark.nightly
def test_a_player_runs_a_clubs_evening_from_the_home_page_and_puts_right_what_goes_wrong(open_page, complaints):
    mia = Player.objects.create(
        username="mia", email="mia@example.org", email_confirmed_at=timezone.now(), may_be_entered=True
    )
    players = make_players(12)
    Player.objects.filter(pk__in=[each.pk for each in players]).update(may_be_entered=True)
    finish_match(mia)
    page = open_page(mia, "/")
    page.get_by_role("link", name="Cups").first.click()
    page.get_by_role("link", name="Create a competition").first.click()
    page.get_by_role("link", name="In one evening").click()
    page.get_by_role("link", name="Groups, then knock-out").click()
    page.get_by_label("Name").first.fill("Club Evening")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Create this competition").click()
    act(page, "Open entry", "Players can join now.")
    page.get_by_role("link", name="Import a list", exact=True).click()
    names = "\n".join(f"{player.username}\t{seed}" for seed, player in enumerate(players[:11], start=1))
    page.locator("textarea[name=text]").first.fill(f"Username\tSeed\n{names}")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The seeds in the list are ignored")).to_be_visible()
    page.get_by_role("button", name="Add 11 players").click()
    assert Entry.objects.filter(status=EntryStatus.ACTIVE).count() == 11
    page.goto("/cups/club-evening/organise/")
    act(page, "Start", "The competition has started.")
    cup = Cup.objects.get()
    assert (cup.status, cup.time_control) == ("running", LIVE)
    page.goto("/cups/club-evening/organise/fixtures/")
    fixture = running(cup)[0]
    page.goto(f"/cups/club-evening/organise/fixtures/{fixture.pk}/")
    page.get_by_role("link", name="Adjudicate").click()
    page.get_by_role("radio", name=f"{fixture.yellow} (Yellow)").check()
    page.get_by_label("Reason").fill(WHY)
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.get_by_text("The match is decided.")).to_be_visible()
    settle_all(timezone.now())
    page.goto(f"/cups/club-evening/organise/fixtures/{fixture.pk}/")
    act(page, "Take back the decision", "The decision is taken back.")
    assert Fixture.objects.get(pk=fixture.pk).counted_at is None
    page.goto("/cups/club-evening/organise/fixtures/")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Adjudicate").click()
    page.get_by_role("radio").nth(1).check()
    page.get_by_label("Reason").fill("No-show.")
    page.get_by_role("button", name="Adjudicate").click()
    first, second = replace_and_withdraw(page)
    assert Entry.objects.filter(player__username="player-12", status=EntryStatus.ACTIVE).exists()
    assert Entry.objects.get(pk=first.pk).status == EntryStatus.REPLACED
    assert Entry.objects.get(pk=second.pk).status == EntryStatus.GONE
    assert complaints == []
