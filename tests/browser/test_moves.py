"""Playing on the match page in a real browser."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from matches.models import Match
from matches.selectors.matches import get_match
from matches.services import offer_rematch, resign
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, play_randomly, set_up

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAST_MINUTES = 120
"""From which competition on the coaches click: what comes before is played without the browser, to save time."""

NOWHERE = "You cannot move there."


def test_two_coaches_play_a_match_to_its_end_by_clicking(match, anna, piotr, coach_of, complaints):
    play_randomly(set_up(match), until=LAST_MINUTES)
    coaches = [coach_of(anna, match), coach_of(piotr, match)]
    for _turn in range(200):
        if coaches[0].over:
            break
        for coach in coaches:
            if not coach.over:
                coach.look()
            if coach.to_act:
                coach.take_turn()
    finished = get_match(match.pk)
    assert finished.status == "finished"
    for coach in coaches:
        if not coach.over:
            coach.look()
        expect(coach.result.locator(".final")).to_contain_text(f"{finished.score_yellow}–{finished.score_red}")
        expect(coach.page.locator("#result-title")).to_be_visible()
    assert complaints == []


def test_a_newcomer_plays_their_first_move_against_the_computer(open_page, transactional_db, complaints):
    from tests.browser.coach import Coach

    page = open_page(None, "/")
    page.get_by_role("button", name="Play now against the computer").click()
    page.wait_for_url("**/matches/*/")
    coach = Coach(page)
    coach.take_turn()
    assert Match.objects.get().moves.filter(actor="yellow").count() == 5
    assert complaints == []


def test_a_set_up_is_taken_back_space_by_space_until_it_is_confirmed(match, anna, coach_of):
    coach = coach_of(anna, match)
    coach.click("d1", "d5")
    expect(coach.task).to_have_text("Place player 3.")
    coach.undo.click()
    expect(coach.task).to_have_text("Place player 2.")
    expect(coach.page.locator('[data-figure="yellow-2"]')).to_be_hidden()
    coach.click("d5", "c3", "f7", "g4")
    expect(coach.confirm).to_have_text("Play @d1 @d5 @c3 @f7 @g4")
    assert not match.moves.exists()
    coach.confirm.click()
    expect(coach.page.locator("#action-title")).to_contain_text("piotr to move")
    assert list(match.moves.values_list("text", flat=True)) == ["@d1", "@d5", "@c3", "@f7", "@g4"]


def test_a_match_is_played_by_keyboard_alone(match, anna, coach_of):
    coach = coach_of(anna, match)
    press = coach.page.keyboard.press
    coach.space("d1").focus()
    press("Enter")
    coach.wait()
    expect(coach.page.locator("#announcer")).to_contain_text("d1, yellow goalie 1")
    coach.undo.focus()
    press("Enter")
    expect(coach.space("d1")).to_be_focused()
    press("Enter")
    coach.wait()
    for keys in ("ArrowUp ArrowUp ArrowUp ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowUp"):
        for key in keys.split():
            press(key)
        press("Enter")
        coach.wait()
    expect(coach.page.locator(":focus")).to_have_attribute("aria-label", "b6, yellow player 5")
    press("Escape")
    expect(coach.task).to_have_text("Place player 5 in the opponent's half: your team needs a player there.")
    press("ArrowUp")
    press("Enter")
    coach.wait()
    coach.confirm.focus()
    press("Enter")
    expect(coach.page.locator("#action-title")).to_contain_text("piotr to move")
    expect(coach.space("b7")).to_be_focused()
    assert list(match.moves.values_list("text", flat=True)) == ["@d1", "@d5", "@c5", "@b5", "@b7"]


def test_the_arrows_follow_the_board_when_it_is_turned_round(match, piotr, coach_of):
    act(match, YELLOW_SET_UP)
    coach = coach_of(piotr, match)
    coach.space("e10").focus()
    coach.page.keyboard.press("ArrowUp")
    expect(coach.space("e9")).to_be_focused()
    coach.page.locator("#flip").click()
    coach.space("e9").focus()
    coach.page.keyboard.press("ArrowUp")
    expect(coach.space("e10")).to_be_focused()


def test_the_opponents_move_appears_by_itself(match, anna, coach_of):
    started = set_up(match)
    coach = coach_of(anna, match)
    while not started.state.stage.startswith("minute"):
        started = act(started)
    coach.look()
    assert coach.ply == started.ply
    ball = started.state.picture().ball
    assert ball in coach.space(ball).get_attribute("aria-label")
    expect(coach.space(ball)).to_have_attribute("aria-label", f"{ball}, ball")


def test_the_opponents_move_leaves_a_viewer_of_earlier_moves_there(match, anna, coach_of):
    started = act(match, YELLOW_SET_UP)
    coach = coach_of(anna, match)
    page = coach.page
    page.locator("body").press("ArrowLeft")
    page.get_by_text("Resign", exact=True).click()
    started = act(started, RED_SET_UP)
    coach.look()
    expect(page.locator("#review-text")).to_have_text(f"After move 0 of {started.ply}")
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    expect(page.get_by_text("Resign", exact=True)).to_be_focused()
    expect(page.get_by_text("Do you want to resign this match?")).to_be_visible()
    page.locator('#moves [data-ply="1"]').click()
    started = act(started)
    coach.look()
    expect(page.locator("#review-text")).to_have_text(f"After move 1 of {started.ply}")
    expect(page.locator('#moves [data-ply="1"]')).to_be_focused()
    expect(page.locator('#moves [data-ply="1"]')).to_have_attribute("aria-current", "step")


def test_a_finished_page_hears_of_the_offer_of_a_rematch_and_of_the_rematch(match, anna, piotr, coach_of, complaints):
    coach = coach_of(anna, match)
    page = coach.page
    resign(match_id=match.pk, player=anna, now=timezone.now())
    coach.look()
    rematch = page.locator("#rematch")
    expect(rematch.get_by_role("button", name="Rematch, sides swapped")).to_be_visible()
    offer_rematch(match_id=match.pk, player=piotr, now=timezone.now())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(rematch.get_by_role("button", name="Accept the rematch")).to_be_visible()
    expect(page.locator("#announcer")).to_have_text("piotr offers you a rematch.")
    begun = offer_rematch(match_id=match.pk, player=anna, now=timezone.now()).match
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    rematch.get_by_role("link", name="Go to the rematch").click()
    page.wait_for_url(f"**{begun.get_absolute_url()}")
    assert complaints == []


def test_parts_of_the_opponents_move_that_could_not_be_fetched_are_fetched_again(match, piotr, coach_of):
    coach = coach_of(piotr, match)
    coach.page.route("**/panels/", lambda route: route.abort())
    act(match, YELLOW_SET_UP)
    with coach.page.expect_event("requestfailed"):
        coach.ask_for_news()
    coach.wait()
    assert (coach.ply, coach.to_act) == (0, False)
    coach.page.unroute("**/panels/")
    coach.look()
    expect(coach.page.locator('#moves [data-ply="1"]')).to_be_visible()
    coach.click("e10")
    expect(coach.task).to_have_text("Place player 2.")


def test_a_move_that_is_stored_is_not_called_refused_when_it_cannot_be_shown(match, anna, coach_of):
    coach = coach_of(anna, match)
    coach.click("d1", "d5", "c3", "f7", "g4")
    coach.page.route("**/updates/**", lambda route: route.abort())
    coach.confirm.click()
    expect(coach.refusal).to_contain_text("Your move has been played.")
    coach.page.unroute("**/updates/**")
    expect(coach.page.locator("#action-title")).to_contain_text("piotr to move")
    expect(coach.refusal).to_be_hidden()
    assert match.moves.count() == 5


def test_a_typed_move_that_is_refused_is_explained_with_its_rule(match, anna, coach_of):
    coach = coach_of(anna, match)
    coach.page.get_by_text("Type the move").click()
    coach.page.get_by_label("Move", exact=True).fill("@a1")
    coach.page.keyboard.press("Enter")
    expect(coach.refusal).to_contain_text("S4")
    assert not match.moves.exists()


def test_a_move_that_was_played_elsewhere_meanwhile_refreshes_the_page(match, anna, coach_of):
    coach = coach_of(anna, match)
    coach.click("d1", "d5", "c3", "f7", "g4")
    act(match, "@e1")
    coach.confirm.click()
    expect(coach.refusal).to_contain_text("The match has moved on")
    coach.wait()
    assert coach.ply == 1


def test_without_scripts_the_move_is_typed(match, anna, open_page):
    page = open_page(anna, match.get_absolute_url(), java_script_enabled=False)
    page.get_by_text("Type the move").click()
    page.get_by_label("Move", exact=True).fill("@a1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#refusal")).to_contain_text("S4")
    page.get_by_label("Move", exact=True).fill(YELLOW_SET_UP)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#action-title")).to_contain_text("piotr to move")


def test_a_match_is_stepped_through_with_the_arrow_keys_and_its_moves(match, anna, coach_of):
    started = set_up(match)
    coach = coach_of(anna, started)
    page = coach.page
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#review")).to_be_visible()
    assert f"ply={started.ply - 1}" in page.url
    page.locator('#moves [data-ply="1"]').click()
    expect(page.locator('[data-figure="red-1"]')).to_be_hidden()
    expect(page.locator('[data-figure="yellow-1"]')).to_be_visible()
    first = page.get_by_role("button", name="First position")
    first.click()
    expect(page.locator("#review-text")).to_contain_text("After move 0")
    first.press("Enter")
    expect(first).to_be_focused()
    page.get_by_text("Back to the current position").click()
    expect(page.locator('[data-figure="red-1"]')).to_be_visible()
    expect(page.locator(".space:focus")).to_be_attached()
    assert "ply=" not in page.url


def test_positions_around_one_that_is_looked_back_to_come_with_it(match, anna, coach_of):
    started = act(set_up(match))
    page = coach_of(anna, started).page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/positions/" in request.url else None)
    for ply in range(started.ply - 1, -1, -1):
        page.locator("body").press("ArrowLeft")
        expect(page.locator("#review-text")).to_have_text(f"After move {ply} of {started.ply}")
    expect(page.locator('[data-figure="yellow-1"]')).to_be_hidden()
    assert [url.split("/")[-2] for url in asked] == [f"0-{started.ply}"]


def test_the_earlier_moves_are_shown_when_they_are_wanted_and_the_match_goes_on_below_them(match, anna, coach_of):
    started = play_randomly(match, until=70)
    coach = coach_of(anna, started)
    page, first = coach.page, coach.page.locator('#moves [data-ply="1"]')
    expect(first).to_have_count(0)
    page.get_by_role("link", name="Show the earlier moves").press("Enter")
    expect(first).to_have_count(1)
    expect(page.locator("#earlier")).to_have_count(0)
    expect(page.locator("#moves")).to_be_focused()
    started = act(started)
    coach.look()
    page.reload()
    page.get_by_role("button", name="First position").click()
    expect(page.locator("#review-text")).to_have_text(f"After move 0 of {started.ply}")
    expect(first).to_have_count(1)
    rows = "() => [...document.querySelectorAll('[data-row]')].map((row) => Number(row.dataset.row))"
    plies = page.evaluate(rows)
    assert plies == sorted(plies)
    page.goto(f"{started.get_absolute_url()}?rows=all")
    assert page.evaluate(rows) == plies


@pytest.mark.parametrize("over", [False, True])
def test_a_position_that_cannot_be_fetched_is_said_and_the_next_click_works(match, anna, coach_of, complaints, over):
    started = set_up(match)
    if over:
        started = resign(match_id=match.pk, player=anna, now=timezone.now())
    coach = coach_of(anna, started)
    page = coach.page
    page.route("**/positions/**", lambda route: route.abort())
    back = page.get_by_role("button", name="Back", exact=True)
    back.click()
    expect(coach.refusal).to_have_text("We cannot reach the server. Try again.")
    expect(page.get_by_role("slider", name="Position")).to_have_value(str(started.ply))
    expect(page.locator("#review")).to_be_hidden()
    page.unroute("**/positions/**")
    back.click()
    expect(page.locator("#review-text")).to_have_text(f"After move {started.ply - 1} of {started.ply}")
    expect(coach.refusal).to_be_hidden()
    expect(page.locator("#action")).to_be_visible()
    assert [complaint for complaint in complaints if "ERR_FAILED" not in complaint] == []
