"""Tests of the paginator of the admin: long tables are counted seldom, and no further than they can be shown."""

import pytest
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from pytest_django import DjangoAssertNumQueries

from players.admin import lists
from players.admin.lists import RECOUNT_AT, RECOUNT_DELAY, BoundedPaginator

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count at most three rows."""
    monkeypatch.setattr(lists, "MAX_COUNTED", 3)


def add_groups(number: int) -> None:
    Group.objects.bulk_create(Group(name=f"group {Group.objects.count()}.{index}") for index in range(number))


def count(rows: QuerySet[Group] | None = None) -> int:
    return BoundedPaginator(Group.objects.order_by("-pk") if rows is None else rows, per_page=2).count


def test_a_short_table_is_counted_each_time():
    add_groups(2)
    assert count() == 2
    add_groups(1)
    assert count() == 3


def test_a_table_that_is_as_long_as_can_be_shown_is_counted_once(django_assert_num_queries: DjangoAssertNumQueries):
    add_groups(5)
    assert count() == 3
    with django_assert_num_queries(0):
        assert count() == 3


def test_a_part_of_a_long_table_is_counted_each_time():
    add_groups(5)
    assert count() == 3
    named = Group.objects.filter(name="group 0.1").order_by("pk")
    assert count(named) == 1
    named.delete()
    assert count(named) == 0


def test_a_table_that_has_become_short_is_found_so_when_it_is_counted_again():
    add_groups(4)
    assert count() == 3
    Group.objects.filter(name__in=["group 0.0", "group 0.1"]).delete()
    assert count() == 3
    RECOUNT_AT[Group] -= RECOUNT_DELAY
    assert count() == 2


def test_a_page_behind_the_end_of_a_table_that_has_become_short_is_empty():
    add_groups(4)
    assert count() == 3
    Group.objects.filter(name__in=["group 0.0", "group 0.1", "group 0.2"]).delete()
    assert list(BoundedPaginator(Group.objects.order_by("-pk"), per_page=2).page(2)) == []
