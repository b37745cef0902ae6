"""Putting a turn together where every answer takes long: no tap is lost, and the turn is sent once."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from matches.clock import CORRESPONDENCE
from matches.services import start_match
from tests.browser.conftest import PHONE, SEED
from tests.browser.test_paper_soccer import MANY_WAYS_ON
from tests.matches.play import RED_SET_UP, act

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LATENCY = 1500
SET_UP = ["d1", "d5", "c3", "f7", "g4"]


class Line:
    """A slow line of one page, and what goes over it from now on."""

    def __init__(self, page):
        self.requests: list[Any] = []
        self.failures: list[Any] = []
        page.context.new_cdp_session(page).send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        page.on("request", lambda request: self.requests.append((request.method, request.url)))
        page.on("response", lambda response: self.failures.extend([response.status] if response.status >= 400 else []))

    @property
    def sent(self):
        return [url for method, url in self.requests if method == "POST"]


def test_a_set_up_is_put_together_without_the_server_and_sent_once(match, anna, coach_of, complaints):
    coach = coach_of(anna, match, viewport=PHONE)
    line = Line(coach.page)
    for number, space in enumerate(SET_UP, start=1):
        coach.space(space).click()
        expect(coach.page.locator(f'[data-figure="yellow-{number}"]')).to_be_visible()
    coach.undo.click()
    coach.space("g4").click()
    expect(coach.confirm).to_have_text("Play @d1 @d5 @c3 @f7 @g4")
    assert line.requests == []

    coach.confirm.click()
    expect(coach.task).to_have_text("Sending your move …")
    expect(coach.page.locator(".space.active")).to_have_count(0)
    coach.space("g5").click()
    coach.confirm.dispatch_event("click")
    expect(coach.page.locator("#action-title")).to_contain_text("piotr to move")
    coach.wait()
    assert (len(line.sent), line.failures, complaints) == (1, [], [])
    assert list(match.moves.values_list("text", flat=True)) == [f"@{space}" for space in SET_UP]


def test_nothing_is_chosen_in_the_old_position_while_the_new_one_is_on_its_way(anna, piotr, coach_of):
    match = act(
        start_match(
            game="streetsoccer-online",
            yellow=anna,
            red=piotr,
            time_control=CORRESPONDENCE,
            now=timezone.now(),
            seed=SEED,
        ),
        "@c4,g10,c10",
    )
    coach = coach_of(piotr, match)
    line = Line(coach.page)
    for space in ("d7", "f8", "c3"):
        coach.space(space).click()
    coach.confirm.click()
    with coach.page.expect_response(lambda response: response.request.method == "POST"):
        pass
    coach.space("b8").click()
    expect(coach.page.locator("#action-title")).to_contain_text("anna to move")
    assert (len(line.sent), line.failures) == (1, [])


def test_a_set_up_is_put_together_without_a_line_once_the_page_has_loaded(match, anna, piotr, coach_of):
    act(match, "@d1,c3,d5,f7,g4")
    coach = coach_of(piotr, match)
    coach.page.reload(wait_until="load")
    coach.page.context.set_offline(True)
    for space in RED_SET_UP[1:].split(","):
        coach.space(space).click()
    expect(coach.confirm).to_have_text("Play @e10 @c8 @e6 @c4 @f9")


def test_a_point_that_is_tapped_before_the_ways_on_have_come_is_drawn_to_when_they_have(anna, piotr, coach_of):
    match = start_match(
        game="paper-soccer-1", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=timezone.now(), seed=SEED
    )
    for step in MANY_WAYS_ON:
        match = act(match, step)
    coach = coach_of(match.player_to_act, match)
    line = Line(coach.page)
    coach.space("h5").click()
    coach.space("g4").click()
    expect(coach.confirm).to_have_text("Play 05")
    assert line.failures == []


def test_a_turn_whose_answer_is_lost_is_shown_and_not_called_refused(match, anna, coach_of):
    coach = coach_of(anna, match)
    coach.click(*SET_UP)

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    coach.page.route("**/moves/", lose_the_answer)
    coach.confirm.click()
    expect(coach.page.locator("#action-title")).to_contain_text("piotr to move")
    coach.wait()
    expect(coach.refusal).to_be_hidden()
    assert match.moves.count() == 5
