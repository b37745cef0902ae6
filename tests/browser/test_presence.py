"""A player who does something on a page counts as present, a page that is left open does not."""

from collections.abc import Callable

import pytest
from django.core.cache import cache

from matches.models import Match
from players.models import Player
from players.presence import present_among
from tests.browser.coach import Coach
from tests.matches.play import YELLOW_SET_UP, act

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_page_that_nobody_touches_shows_what_happens_and_makes_nobody_present(
    coach_of: Callable[..., Coach], match: Match, piotr: Player
) -> None:
    coach = coach_of(piotr, match)
    coach.look()
    coach.page.clock.install()
    coach.page.clock.fast_forward("02:00")
    cache.clear()
    act(match, YELLOW_SET_UP)
    coach.look()
    coach.page.wait_for_timeout(1000)
    assert (coach.ply, coach.to_act) == (1, True)
    assert present_among([piotr.pk]) == set()

    with coach.page.expect_response(lambda response: "/positions/" in response.url):
        coach.page.keyboard.press("ArrowLeft")
    assert present_among([piotr.pk]) == {piotr.pk}
