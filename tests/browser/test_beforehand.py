"""Giving answers beforehand on the board, in a real browser."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from matches.models import ConditionalAnswer
from matches.selectors.matches import get_match
from rules_engine.values import Side
from tests.browser.conftest import PHONE, SEED
from tests.matches.play import act, begin_match, set_up

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def waiting_coach(match, coach_of, **options):
    """Let the player look whose turn it is not."""
    return coach_of(match.players[Side(match.side).opponent], match, **options)


def attempt(coach, kind, *spaces):
    coach.page.locator(f'[data-try="{kind}"]').click()
    expect(coach.page.locator("#beforehand [data-cancel]")).to_be_visible()
    coach.click(*spaces)


def test_lines_are_tried_on_the_board_kept_and_played(anna, piotr, coach_of, complaints):
    match = begin_match(anna, piotr, game="paper-soccer-1", now=timezone.now(), seed=SEED)
    coach = waiting_coach(match, coach_of, viewport=PHONE, has_touch=True)
    box = coach.page.locator("#beforehand")
    box.locator("summary").click()
    attempt(coach, "line", "f7")
    expect(box.locator("[data-guide]")).to_contain_text("Your answer:")
    expect(box.locator("[data-save]")).to_be_disabled()
    coach.click("e8")
    expect(box.locator("[name=texts]")).to_have_value("1 7")
    box.locator("[data-undo]").click()
    coach.click("f8", "g8", "g9")
    box.locator("[data-save]").click()
    expect(box.locator(".answers li")).to_have_count(1)
    assert ConditionalAnswer.objects.get().texts == ["1", "0", "2", "0"]

    act(get_match(match.pk), "1")
    coach.look()
    expect(coach.page.locator(".lines .drawn")).to_have_count(2)
    expect(box.locator(".answers li")).to_have_count(1)
    act(get_match(match.pk), "7")
    coach.look()
    expect(box).to_contain_text("Something else came")
    assert complaints == []


def test_a_restart_is_answered_whatever_comes(anna, piotr, coach_of, complaints):
    match = set_up(begin_match(anna, piotr, now=timezone.now(), seed=SEED))
    coach = waiting_coach(match, coach_of)
    side = Side(match.side).opponent
    box = coach.page.locator("#beforehand")
    box.locator("summary").click()
    attempt(coach, "restart", "d1" if side is Side.YELLOW else "d10")
    box.locator("[data-save]").click()
    expect(box.locator(".answers li")).to_have_count(1)
    assert ConditionalAnswer.objects.get().decision == "restart"
    box.locator(".answers button").click()
    expect(box.locator(".answers li")).to_have_count(0)
    assert complaints == []
