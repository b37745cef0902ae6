"""Pages by keys: forwards and backwards through everything, and the last page from the end."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player, Rating
from web.pages.keyset_pages import OLDEST_FIRST, keyset_page

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

SIZE = 3


@pytest.fixture
def keys():
    """Return the keys of seven rows, the highest first."""
    return [Player.objects.create(username=f"player-{number}").pk for number in range(7)][::-1]


def show(position):
    with CaptureQueriesContext(connection) as queries:
        page = keyset_page(Player.objects.filter(username__startswith="player-"), position, size=SIZE)
    assert len(queries) <= 2
    return [player.pk for player in page], page.previous, page.next


def test_pages_follow_each_other_in_both_directions(keys):
    first = show(None)
    second = show(first[2])
    third = show(second[2])
    assert [page[0] for page in (first, second, third)] == [keys[:3], keys[3:6], keys[6:]]
    assert (first[1], third[2]) == ("", "")
    assert show(third[1]) == second
    assert show(second[1])[0] == first[0]


def test_the_last_page_is_full_and_leads_back(keys):
    last = show("last")
    assert (last[0], last[2]) == (keys[-3:], "")
    assert show(last[1])[0] == keys[1:4]
    assert show(show(last[1])[1]) == show(None)


@pytest.mark.parametrize("position", ["first", "2", "after-", "after-x", "before--1", "after-" + 19 * "9"])
def test_anything_else_is_the_first_page(keys, position):
    assert show(position) == show(None)


def test_behind_the_end_is_the_last_page_and_before_the_beginning_the_first(keys):
    assert show(f"after-{keys[-1]}") == show("last")
    assert show(f"before-{keys[0]}") == show(None)
    assert show(f"before-{keys[2]}") == show(None)


def test_rows_that_fit_on_one_page_have_no_other_pages(keys):
    for position in (None, "last", f"after-{keys[-1]}"):
        page = keyset_page(Player.objects.filter(username__startswith="player-"), position, size=7)
        assert ([player.pk for player in page], page.previous, page.next) == (keys, "", "")


def test_the_oldest_come_first_where_that_is_asked(keys):
    def show_oldest(position):
        page = keyset_page(Player.objects.filter(pk__in=keys), position, size=SIZE, order=OLDEST_FIRST)
        return [player.pk for player in page], page.previous, page.next

    oldest = keys[::-1]
    first = show_oldest(None)
    second = show_oldest(first[2])
    assert [first[0], second[0], show_oldest(second[2])[0]] == [oldest[:3], oldest[3:6], oldest[6:]]
    assert show_oldest(second[1]) == first
    assert (show_oldest("last")[0], show_oldest("last")[2]) == (oldest[-3:], "")


BEST_FIRST = ("-rating", "player_id")


@pytest.fixture
def rated(keys):
    """Return the players of seven ratings, the best first; some are equal."""
    numbers: list[float] = [1500, 1600, 1500, 1500.5, 1400, 1600, 1500]
    for key, rating in zip(keys, numbers, strict=True):
        Rating.objects.create(player_id=key, family="paper-soccer", rating=rating)
    return [keys[each] for each in (5, 1, 3, 6, 2, 0, 4)]


def show_best(position):
    page = keyset_page(Rating.objects.all(), position, size=SIZE, order=BEST_FIRST)
    return [rating.player_id for rating in page], page.previous, page.next


def test_pages_by_two_columns_follow_each_other_in_both_directions(rated):
    first = show_best(None)
    second = show_best(first[2])
    third = show_best(second[2])
    assert [page[0] for page in (first, second, third)] == [rated[:3], rated[3:6], rated[6:]]
    assert show_best(third[1]) == second
    assert show_best(second[1])[0] == first[0]
    assert show_best("last")[0] == rated[4:]


@pytest.mark.parametrize("position", ["after-1500", "after-1-2-3", "before-1500.00001-1", "after-123456789012-1"])
def test_a_position_that_no_row_can_have_gives_the_first_page(rated, position):
    assert show_best(position) == show_best(None)
