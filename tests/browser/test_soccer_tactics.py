"""Playing Soccer Tactics by touch against the computer, in a real browser as narrow as a phone."""

from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from computers.levels import Level
from matches.clock import CORRESPONDENCE
from matches.models import Colour, Match
from matches.selectors.matches import get_match
from matches.services import choose_move, play_choice, start_match
from players.services import ensure_computer
from tests.browser.conftest import PHONE
from tests.matches.play import act, reread
from tests.rules_engine.soccer_tactics.players import CORNER, keen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEED = b"a" * 32
LAST = {2: 16, 4: 2}
"""The minute, by the period that may be the last, from which on a match is played in the browser."""


@pytest.fixture
def match(anna):
    """Return a match of anna's against the computer, which has not begun, with dice that are always the same."""
    now = timezone.now()
    return start_match(
        game="soccer-tactics",
        yellow=anna,
        red=ensure_computer(level=Level.BEGINNER, now=now),
        time_control=CORRESPONDENCE,
        now=now,
        seed=SEED,
    )


def is_near_the_end(match):
    """Return whether a match may end within a few minutes."""
    period, minute = (int(number) for number in match.position.split()[1].split("."))
    score = match.state.score
    return period in LAST and minute >= LAST[period] and (period == max(LAST) or score.yellow != score.red)


def play_on(match, source):
    """Play for both sides until the match is near its end."""
    while match.side and not is_near_the_end(match):
        match = act(match, keen(source, match.state), now=timezone.now())
    return match


def answer(match):
    """Let the computer play as long as it is to act."""
    while (choice := choose_move(match_id=match.pk)) is not None:
        play_choice(choice, now=timezone.now())
    return reread(match)


def test_a_newcomer_places_pawns_in_few_clicks(match, coach_of, anna, complaints):
    match = answer(match)
    coach = coach_of(anna, match, viewport=PHONE, has_touch=True)
    expect(coach.task).to_contain_text("Place pawn 10")
    assert coach.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _pawn in range(3):
        coach.click(coach.reachable()[0])
    expect(coach.confirm).to_be_visible()
    coach.confirm.click()
    coach.wait()
    assert reread(match).moves.filter(actor="yellow").count() == 3
    assert complaints == []


def test_a_keeper_and_a_pawn_are_put_at_a_corner_by_clicking(match, coach_of, anna, complaints):
    Match.objects.filter(pk=match.pk).update(position=CORNER, side=Colour.YELLOW)
    coach = coach_of(anna, match, viewport=PHONE, has_touch=True)
    coach.click("d1")
    expect(coach.task).to_contain_text("place one of your field players on a free square")
    coach.click("b2", "c3")
    expect(coach.refusal).to_be_hidden()
    expect(coach.confirm).to_be_visible()
    assert complaints == []


def test_the_end_of_a_match_against_the_computer_is_played_by_clicking(match, coach_of, anna, complaints):
    source, clicked = Random(1), 0
    match = play_on(match, source)
    coach = coach_of(anna, match, viewport=PHONE, has_touch=True)
    while not coach.over:
        if match.side and not is_near_the_end(match):
            match = play_on(match, source)
        match = answer(match)
        coach.look()
        if coach.to_act:
            coach.take_turn()
            clicked += 1
        match = get_match(match.pk)
    assert clicked > 3
    expect(coach.page.locator("#result-title")).to_be_visible()
    coach.page.goto(f"/matches/{match.pk}/?rows=all")
    expect(coach.page.locator("#moves .decisive").first).to_be_attached()
    assert complaints == []


def test_the_latest_moves_have_one_heading_which_the_earlier_ones_bring_along(match, coach_of, anna, complaints):
    source = Random(5)
    while match.ply < 60:
        match = act(match, keen(source, match.state), now=timezone.now())
    page = coach_of(anna, match).page
    headings, first = page.locator("#moves h3"), page.locator("#moves [data-row]").first
    expect(headings).to_have_text(["First half"])
    expect(first).to_have_text("First half")
    page.get_by_role("link", name="Show the earlier moves").press("Enter")
    expect(page.locator("#earlier")).to_have_count(0)
    expect(headings).to_have_text(["First half"])
    assert complaints == []
