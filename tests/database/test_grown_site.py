"""No page reads the site: on a much larger one the database does not touch pages in proportion for any of them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Max

from benchmarks.grown_site import fill
from benchmarks.pages import PATHS, ask, has_grown
from players.models import Player

pytestmark = [pytest.mark.postgresql, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SMALL, LARGE = 250, 10_000

COUNTED = {"admin: players", "API competition"}
"""What counts rows by an index: those of a list up to a bound that the larger site has just come to, and entrants."""

READS_THE_SITE = 1_000
"""So many of the database's pages are more than any way to find the rows of a page of the site by its indexes touches.

Which of several good ways PostgreSQL takes differs from run to run; ``benchmarks/pages.py`` shows what they cost.
"""

MAX_BYTES = 100_000
"""Of an answer, compressed."""


def measure(players):
    fill(players)
    return {name: ask(*PATHS[name], players=players) for name in PATHS}


def forget(tables, last):
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(map(connection.ops.quote_name, tables))} CASCADE")
    Player.objects.filter(pk__gt=last).delete()


def empty_tables():
    with connection.cursor() as cursor:
        found = []
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")
            if not cursor.fetchone()[0]:
                found.append(table)
        return found


def test_no_page_costs_more_for_the_size_of_the_site():
    tables, last = empty_tables(), Player.objects.aggregate(last=Max("pk"))["last"] or 0
    before = measure(SMALL)
    forget(tables, last)
    after = measure(LARGE)
    assert {name: page["status"] for name, page in after.items() if page["status"] != 200} == {}
    assert {name: page["bytes"] for name, page in after.items() if page["bytes"] > MAX_BYTES} == {}
    grown = {name: (before[name], page) for name, page in after.items() if has_grown(before[name], page)}
    grown = {name: costs for name, costs in grown.items() if costs[1]["pages"] > READS_THE_SITE}
    assert {name: costs for name, costs in grown.items() if name not in COUNTED} == {}
