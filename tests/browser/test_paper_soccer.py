"""Drawing a point of Paper Soccer by touch, in a real browser as narrow as a phone."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from matches.clock import CORRESPONDENCE
from matches.selectors.matches import get_match
from matches.services import start_match
from rules_engine.values import Side
from tests.browser.conftest import PHONE, SEED
from tests.matches.play import act

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MANY_WAYS_ON = "3206452010343527"
"""After these steps a turn can go on in more ways than the page gets at once."""
TO_THE_MOUTH = ["g6", "g7", "g8", "g9", "f10", "e11"]


@pytest.fixture
def one_point(anna, piotr):
    return start_match(
        game="paper-soccer-1", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=timezone.now(), seed=SEED
    )


@pytest.fixture
def coaches(one_point, anna, piotr, coach_of):
    """Return both players' pages, the one who begins first."""
    phone = {"viewport": PHONE, "has_touch": True}
    pages = {side: coach_of(player, one_point, **phone) for side, player in zip(Side, (anna, piotr), strict=True)}
    return [pages[one_point.side], pages[one_point.side.opponent]]


def draw(coach, *points):
    coach.look()
    coach.click(*points)
    coach.confirm.click()
    expect(coach.page.locator("#action-title")).not_to_contain_text("Your turn")
    coach.wait()


def test_two_players_draw_a_point_to_its_end(one_point, coaches, complaints):
    first, second = coaches
    draw(first, "f7")
    draw(second, "e7")

    first.look()
    first.click("e6")
    expect(first.task).to_contain_text("The ball bounces")
    expect(first.page.locator(".lines .sketch")).to_have_count(1)
    first.click("d5")
    expect(first.confirm).to_have_text("Play 45")
    first.undo.click()
    expect(first.task).to_contain_text("The ball bounces")
    assert not one_point.moves.filter(text="45").exists()
    draw(first, "f5")
    assert list(one_point.moves.values_list("text", flat=True))[1:] == ["1", "6", "43"]

    for number, point in enumerate(TO_THE_MOUTH):
        draw(coaches[(number + 1) % 2], point)
    second.look()
    second.click("f12")
    second.confirm.click()
    for coach in coaches:
        expect(coach.result).to_be_visible()
        expect(coach.result.locator(".final")).to_contain_text("1–0")
        expect(coach.page.locator(".lines .drawn")).to_have_count(11)
    assert get_match(one_point.pk).winner == "yellow"
    assert complaints == []


def test_a_tap_that_leads_nowhere_keeps_what_was_drawn(one_point, coaches):
    first, second = coaches
    draw(first, "f7")
    draw(second, "e7")
    first.look()
    first.click("e6", "a1")
    expect(first.page.locator("#announcer")).to_contain_text("You cannot move there.")
    expect(first.page.locator(".lines .sketch")).to_have_count(1)
    first.click("e6")
    expect(first.page.locator(".lines .sketch")).to_have_count(0)


def test_a_point_is_drawn_by_keyboard_and_spoken(one_point, coaches):
    first, second = coaches
    draw(first, "f7")
    draw(second, "e7")
    first.look()
    first.space("e7").focus()
    first.page.keyboard.press("ArrowDown" if one_point.side == "yellow" else "ArrowUp")
    expect(first.page.locator(":focus")).to_have_attribute("aria-label", "e6, bounces, can be chosen")
    first.page.keyboard.press("Enter")
    first.wait()
    expect(first.page.locator("#announcer")).to_contain_text("The ball bounces")


def test_a_finished_point_is_seen_again_by_stepping_back(anna, piotr, coach_of):
    match = start_match(
        game="paper-soccer", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=timezone.now(), seed=SEED
    )
    for text in "000000":
        match = act(match, text)
    coach = coach_of(anna, match)
    expect(coach.page.locator(".lines .drawn")).to_have_count(0)
    coach.page.locator(f'#moves [data-ply="{match.ply}"]').click()
    coach.page.locator("body").press("ArrowLeft")
    expect(coach.page.locator(".lines .drawn")).to_have_count(5)


def test_a_turn_with_too_many_ways_to_list_is_drawn_step_by_step(one_point, anna, piotr, coach_of):
    match = one_point
    for step in MANY_WAYS_ON:
        match = act(match, step)
    coach = coach_of(match.player_to_act, match, viewport=PHONE)
    coach.click("h5")
    expect(coach.task).to_contain_text("The ball bounces")
    assert set(coach.reachable()) == {"i6", "i5", "g4", "g5", "g6"}
    coach.click("g4")
    expect(coach.confirm).to_have_text("Play 05")
    boxes = [coach.page.locator(name).bounding_box() for name in (".strip.to-act", ".board", "#action")]
    strip, board, panel = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
    assert board[1] <= strip[0] < strip[1] <= panel[0] < panel[1] <= PHONE["height"]


def test_the_next_point_begins_on_a_clean_sheet_after_the_goal_was_seen(anna, piotr, coach_of, complaints):
    match = start_match(
        game="paper-soccer", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=timezone.now(), seed=SEED
    )
    for text in "00000":
        match = act(match, text)
    coach = coach_of(match.player_to_act, match, viewport=PHONE)
    # A coin decides, not the side to act, so that it may be an own goal.
    coach.click("e12")
    coach.confirm.click()
    expect(coach.page.locator(".lines .drawn")).to_have_count(6)
    expect(coach.page.locator(".lines .drawn")).to_have_count(0)
    expect(coach.page.locator('.strip[data-side="yellow"] [data-goals]')).to_have_text("1")
    expect(coach.page.locator("#action-title")).to_contain_text("point 2, turn 1")
    assert complaints == []


def test_a_text_is_stepped_through_with_the_arrow_keys(transactional_db, open_page, complaints):
    page = open_page(None, "/replay/?game=paper-soccer-1", viewport=PHONE)
    page.get_by_role("textbox", name="Record").fill("1. 1 6 2. 43")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator(".lines .drawn")).to_have_count(4)
    page.wait_for_load_state("networkidle")
    page.locator("body").press("ArrowLeft")
    expect(page.locator(".lines .drawn")).to_have_count(2)
    expect(page.locator("#stage")).to_have_text("point 1, turn 3")
    page.locator('#moves [data-ply="2"]').click()
    expect(page.locator(".lines .drawn")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert complaints == []


def test_a_visitor_who_picks_the_game_is_told_how_it_is_played(transactional_db, open_page, complaints):
    page = open_page(None, "/")
    page.locator(".game-face", has_text="Paper Soccer").click()
    expect(page.get_by_label("First to 3")).to_be_checked()
    page.get_by_label("First to 3").press("ArrowDown")
    expect(page.get_by_label("One point")).to_be_checked()
    expect(page.get_by_role("heading", name="1. Draw a line")).to_be_visible()
    expect(page.get_by_role("heading", name="1. The die says how far")).to_have_count(0)
    assert complaints == []
