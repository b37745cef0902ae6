"""Pages by keys: forwards and backwards through everything, and the last page from the end."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from web.keyset_pages import keyset_page

pytestmark = pytest.mark.django_db

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


def test_what_fits_on_a_page_has_no_others(keys):
    for position in (None, "last", f"after-{keys[-1]}"):
        page = keyset_page(Player.objects.filter(username__startswith="player-"), position, size=7)
        assert ([player.pk for player in page], page.previous, page.next) == (keys, "", "")
