"""A cup from its making to its winner, in real browsers: the organiser's, and a player's."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.verbs import end, make_cup, make_players, running, settle_all
from tournaments.models import CompetitionStatus, Cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def olga(transactional_db: None) -> Player:
    return Player.objects.create(username="olga", is_staff=True)


def play_round(cup: Cup) -> None:
    """Let the higher seed win every match that goes on, as if it had been played."""
    for fixture in running(cup):
        side = Side.YELLOW if (fixture.yellow.seat.seed or 0) < (fixture.red.seat.seed or 0) else Side.RED
        end(fixture, side, timezone.now())


def test_a_helper_is_found_by_the_beginning_of_a_username_with_the_keyboard(olga, open_page, complaints):
    make_players(12)
    cup = make_cup()
    cup.organisers.add(olga)
    page = open_page(olga, "/cups/cup/organise/organisers/")
    field = page.get_by_role("combobox", name="Player")
    field.press_sequentially("player-1")
    names = page.get_by_role("option")
    expect(names).to_have_text(["player-1", "player-10", "player-11", "player-12"])
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("ArrowDown")
    field.press("ArrowDown")
    chosen = page.get_by_role("option", name="player-10")
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", chosen.get_attribute("id"))
    field.press("Enter")
    expect(field).to_have_value("player-10")
    expect(names).to_have_count(0)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("player-10 has been added")).to_be_visible()
    assert complaints == []


def test_an_organiser_makes_a_cup_and_four_players_play_it_to_a_winner(olga, open_page, complaints):
    players = make_players(4)
    page = open_page(olga, "/admin/tournaments/cup/add/")
    page.get_by_label("Name").fill("Autumn Cup")
    page.locator("#id_knock-out-legs").fill("1")
    page.locator("#id_knock-out-third_place").press("Space")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="Autumn Cup").first.click()
    page.get_by_role("link", name="Organise").click()

    page.get_by_role("link", name="Open entry").click()
    page.get_by_role("button", name="Open entry").click()
    expect(page.get_by_text("Players can join now.")).to_be_visible()

    guests = [open_page(player, "/cups/autumn-cup/") for player in players]
    for guest in guests:
        guest.get_by_role("button", name="Join").click()
        expect(guest.get_by_text("You have joined.")).to_be_visible()

    page.get_by_role("link", name="Draw", exact=True).first.click()
    page.get_by_label("Usernames, first seed first").fill("\n".join(player.username for player in players))
    page.get_by_role("button", name="Preview this draw").click()
    expect(page.get_by_text("This would be the draw")).to_be_visible()
    page.get_by_role("button", name="Keep this draw").click()
    expect(page.get_by_text("The cup has been drawn.")).to_be_visible()
    page.get_by_role("link", name="Start", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="Waiting for")).to_be_visible()

    cup = Cup.objects.get()
    play_round(cup)
    page.reload()
    page.get_by_role("link", name="Look at it").first.click()
    page.get_by_role("link", name="Adjudicate").click()
    page.get_by_role("radio", name="player-1").check()
    page.get_by_label("Reason").fill("Both asked for it.")
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.get_by_text("The match is decided.")).to_be_visible()
    play_round(cup)
    settle_all(timezone.now())
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED
    assert cup.winner is not None

    mails = {
        player.username: (guest.goto("/cups/autumn-cup/"), guest.locator("section.mine").inner_text())[1]
        for player, guest in zip(players, guests, strict=True)
    }
    assert "Your final place: 1" in mails["player-1"]
    assert "player-2" in mails["player-1"]
    assert "Your final place: 4" in mails["player-4"]
    assert "Third place: player-4 – player-3 0–5, by match points, with a result by decision." in mails["player-4"]
    expect(guests[3].get_by_text("Both asked for it.")).to_be_visible()
    assert complaints == []


def test_back_after_create_is_the_preview_and_create_again_leads_to_the_same_cup(olga, open_page, complaints):
    page = open_page(olga, "/make/knock-out/")
    page.get_by_label("Name").fill("Autumn Cup")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Create this competition").click()
    expect(page.get_by_text("Draft created.")).to_be_visible()
    desk = page.url
    page.go_back()
    expect(page.get_by_role("heading", name="Preview: Autumn Cup")).to_be_visible()
    page.get_by_role("button", name="Create this competition").click()
    page.wait_for_url(desk)
    assert Cup.objects.count() == 1
    assert complaints == []
