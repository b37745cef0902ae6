"""A match can be followed and played by somebody who hears it and does not see the board, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_boards_name_the_words_and_what_is_spoken_follow_the_match(match, anna, coach_of, complaints):
    started = act(match, YELLOW_SET_UP)
    coach = coach_of(anna, match)
    board, words = coach.page.locator("svg.board"), coach.page.locator("#in-words li")
    expect(board).to_have_attribute("aria-label", "Board, set-up, 0 to 0")
    expect(words.nth(2)).to_have_text("Red has no players on the board.")

    started = act(started, RED_SET_UP)
    coach.look()
    expect(board).to_have_attribute("aria-label", "Board, kick-off, 0 to 0")
    expect(words.nth(2)).to_have_text("Red: goalie on e10, 2 on c8, 3 on e6, 4 on c4 and 5 on f9.")
    spoken = coach.page.locator("#announcer")
    expect(spoken).to_contain_text("Red places the goalie on e10, player 2 on c8, player 3 on e6")
    expect(spoken).not_to_contain_text("@")

    coach.page.locator('#moves [data-ply="1"]').click()
    expect(words.nth(2)).to_have_text("Red has no players on the board.")
    expect(spoken).to_contain_text("set-up. Yellow places the goalie on d1")
    coach.page.locator("#review-end").click()
    expect(words.nth(2)).to_have_text("Red: goalie on e10, 2 on c8, 3 on e6, 4 on c4 and 5 on f9.")
    expect(board).to_have_attribute("aria-label", "Board, kick-off, 0 to 0")
    assert complaints == []


def test_a_move_of_the_list_is_found_by_what_it_did(match, anna, coach_of):
    act(match, YELLOW_SET_UP)
    coach = coach_of(anna, match)
    entry = coach.page.get_by_role("link", name="Yellow places the goalie on d1, player 2 on c3")
    expect(entry).to_have_attribute("data-ply", "1")


def test_a_text_that_is_replayed_is_described_position_by_position(transactional_db, open_page, complaints):
    page = open_page(None, "/replay/?game=paper-soccer-1")
    page.get_by_role("textbox", name="Record").fill("1. 1 6 2. 43")
    page.get_by_role("button", name="Replay").click()
    words, spoken = page.locator("#in-words li"), page.locator("#announcer")
    expect(words.nth(1)).to_have_text("The ball is on f5. 4 lines have been drawn.")
    page.wait_for_load_state("networkidle")
    page.locator("body").press("ArrowLeft")
    expect(words.nth(1)).to_have_text("The ball is on e7. 2 lines have been drawn.")
    expect(spoken).to_have_text("point 1, turn 3. Red draws from f7 to e7.")
    expect(page.locator("svg.board")).to_have_attribute("aria-label", "Board, point 1, turn 3, 0 to 0")
    assert complaints == []
