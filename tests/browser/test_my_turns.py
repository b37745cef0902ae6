"""Going from match to match in a real browser: by touch, by keyboard, by itself, and back."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from matches.models import Match
from matches.selectors.matches import count_matches_to_move, matches_to_move
from players.models import Player
from rules_engine.values import Side
from tests.browser.coach import Coach
from tests.browser.conftest import PHONE, SEED
from tests.matches.play import RED_SET_UP, act, begin_match, play_at_once

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GAMES = ("streetsoccer-board", "paper-soccer-1", "streetsoccer-online")
MAX_ACTIONS = 20
LONGER_THAN_IT_TAKES = 3500
"""Milliseconds after which the next match has opened by itself, if it does."""


class TouchingCoach(Coach):
    """A coach with a finger, who counts the taps that are neither on a board nor play what was composed there."""

    taps = 0

    def tap(self, place: Locator) -> None:
        place.tap()
        self.taps += 1

    def click(self, *names: str) -> None:
        for name in names:
            self.space(name).tap()
            self.wait()

    def take_turn(self) -> None:
        before = self.ply
        if self.choices.first.is_visible():
            self.choices.first.tap()
        else:
            self.compose_move()
            self.confirm.tap()
        self._wait_for_ply(before + 1)
        self.wait()


@pytest.fixture
def waiting(anna: Player, piotr: Player):
    """Return so many matches that wait for anna, the one with the least time first."""

    def begin(number: int, games: Sequence[str] = GAMES) -> list[Match]:
        now = timezone.now()
        while (count := count_matches_to_move(anna)) < number:
            game = games[count % len(games)]
            begin_match(anna, piotr, game=game, now=now - timedelta(hours=number - count), seed=SEED)
        return list(matches_to_move(anna))

    return begin


def next_of(page: Page) -> Locator:
    return page.locator("[data-lead-on]:visible")


def words_of(page: Page) -> Locator:
    """Return where a page says that it leads on by itself: with the result, once there is one."""
    return page.locator("[data-leading]").last


def test_twelve_matches_are_played_with_twelve_taps_beside_those_on_the_boards(open_page, waiting, anna, complaints):
    matches = waiting(12)
    page = open_page(anna, "/", viewport=PHONE, has_touch=True, is_mobile=True)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    badge = page.locator("#turns")
    expect(badge).to_have_text("12 to move")
    badge.tap()
    page.wait_for_url("**/matches/*/")
    coach, played = TouchingCoach(page), []
    coach.taps = 1
    for left in range(11, -1, -1):
        played.append(coach.match_id)
        for _action in range(MAX_ACTIONS):
            if coach.to_act:
                coach.take_turn()
        if left:
            expect(next_of(page)).to_have_text(f"Next match ({left} more)")
            url = page.url
            coach.tap(next_of(page))
            page.wait_for_function("url => location.href !== url", arg=url)
            coach.wait()
            expect(page.locator("h1")).to_be_focused()
            expect(page.locator("#announcer")).to_contain_text("Your turn")
    assert played == [match.pk for match in matches]
    assert (coach.taps, count_matches_to_move(anna)) == (12, 0)
    expect(next_of(page)).to_have_count(0)
    expect(badge).to_be_hidden()
    assert len(loaded) <= 2
    for match_id in reversed(played[:-1]):
        page.go_back()
        page.wait_for_url(f"**/matches/{match_id}/")
        expect(page.locator("#typed")).to_have_attribute("action", f"/matches/{match_id}/")
    page.go_back()
    expect(page.get_by_role("heading", name="My matches")).to_be_visible()
    assert complaints == []


def test_a_board_of_my_turns_is_played_in_place_and_goes_on_as_its_opponent_moves(open_page, waiting, anna, complaints):
    first, second, _third = waiting(3)
    page = open_page(anna, "/my-turns/")
    page.locator(".picture").first.click()
    page.wait_for_url(f"**{first.get_absolute_url()}")
    coach = Coach(page)
    coach.click("d1", "d5", "c3", "f7", "g4")
    coach.confirm.click()
    expect(page.locator("#action-title")).to_contain_text("piotr to move")
    moved = act(Match.objects.get(pk=first.pk), RED_SET_UP)
    coach.look()
    assert coach.ply == moved.ply
    asked: list[str] = []
    page.keyboard.press("n")
    page.wait_for_url(f"**{second.get_absolute_url()}*")
    page.on("request", lambda request: asked.append(request.url))
    Coach(page).ask_for_news()
    page.wait_for_timeout(2000)
    assert [url for url in asked if f"/matches/{first.pk}/" in url] == []
    page.go_back()
    page.go_back()
    expect(page.locator(".picture")).to_have_count(3 if moved.player_to_act == anna else 2)
    expect(page.get_by_role("heading", name="My turns")).to_be_focused()
    assert complaints == []


def test_a_key_skips_from_match_to_match_unless_it_is_written_or_switched_off(open_page, waiting, anna, complaints):
    urls = [match.get_absolute_url() for match in waiting(3)]
    page = open_page(anna, "/rules/")
    for url in (*urls, urls[0]):
        page.keyboard.press("n")
        page.wait_for_url(f"**{url}*")
        Coach(page)
    expect(next_of(page)).to_have_text("Skip")
    page.get_by_text("Type the move").click()
    page.get_by_label("Move", exact=True).press("n")
    expect(page.get_by_label("Move", exact=True)).to_have_value("n")
    Player.objects.filter(pk=anna.pk).update(single_keys=False)
    page.reload()
    page.keyboard.press("n")
    page.wait_for_timeout(500)
    assert urls[0] in page.url
    assert complaints == []


def test_the_next_match_opens_by_itself_where_the_player_wants_that_and_does_not_say_stay(
    open_page, waiting, anna, complaints
):
    Player.objects.filter(pk=anna.pk).update(goes_on=True)
    matches = waiting(4, GAMES[:1])
    page = open_page(anna, "/my-turns/next/")
    for match, stop in zip(matches, ("", "Stay", "Shift", ""), strict=True):
        page.wait_for_url(f"**{match.get_absolute_url()}")
        coach = Coach(page)
        coach.click("d1", "d5", "c3", "f7", "g4")
        coach.confirm.click()
        if match == matches[-1]:
            break
        expect(words_of(page)).to_have_text("Your next match opens in three seconds.")
        if stop:
            if stop == "Stay":
                page.get_by_role("button", name=stop).click()
            else:
                page.keyboard.press(stop)
            page.wait_for_timeout(LONGER_THAN_IT_TAKES)
            assert match.get_absolute_url() in page.url
            expect(words_of(page)).to_be_empty()
            next_of(page).click()
    expect(page.locator("#action-title")).to_contain_text("piotr to move")
    expect(words_of(page)).to_be_empty()
    assert complaints == []


def before_its_end(anna: Player, piotr: Player) -> tuple[Match, str]:
    """Return a match in which it is anna's turn, and a move of hers that ends it."""
    while True:
        match = begin_match(anna, piotr, game="paper-soccer-1", now=timezone.now() - timedelta(hours=3))
        while match.side:
            for text in match.state.legal_moves() if match.side == Side.YELLOW else ():
                if match.state.play(text).outcome is not None:
                    return match, text
            match = play_at_once(match, until=match.ply + 1, seed=match.ply)


def test_a_match_that_ends_by_a_move_leads_on_as_any_other(open_page, waiting, anna, piotr, complaints):
    match, last = before_its_end(anna, piotr)
    (following,) = (each for each in waiting(2) if each != match)
    Player.objects.filter(pk=anna.pk).update(goes_on=True)
    page = open_page(anna, match.get_absolute_url())
    Coach(page)
    page.get_by_text("Type the move").click()
    page.get_by_label("Move", exact=True).fill(last)
    page.get_by_label("Move", exact=True).press("Enter")
    expect(page.locator("#result-title")).to_be_visible()
    expect(words_of(page)).to_have_text("Your next match opens in three seconds.")
    page.wait_for_url(f"**{following.get_absolute_url()}")
    assert complaints == []
