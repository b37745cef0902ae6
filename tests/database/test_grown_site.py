"""No page reads the site: on one forty times as large, the database touches at most twice as many of its pages."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Max

from benchmarks.asked_pages import LONGER, PATHS, first_page
from benchmarks.grown_site import fill, vacuum
from benchmarks.pages import MAX_BYTES, ask, compared, has_grown
from players.models import Player

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

SMALL, LARGE = 250, 10_000

BUDGETS = {
    "home of a player": 300,
    "lobby": 450,
    "player": 270,
    "ladder of an entrant": 1_300,
    "ladder, last page": 100,
    "ladder, log, last page": 50,
    "newcomers": 900,
    "newcomers, deep page": 900,
    "newcomers, last page": 900,
    "newcomers on another site": 900,
    "API standings of newcomers": 1_400,
    "API standings of newcomers, deep page": 1_400,
    "deadlines": 250,
    "API standings of a Swiss": 1_800,
    "API fixtures": 2_200,
    "API fixtures, deep page": 2_200,
    "API fixtures of a round": 3_000,
    "API places": 1_700,
    "API places, deep page": 1_700,
    "API organised by who organises most": 120,
    "desk of a cup": 350,
    "admin: players": 50,
    "admin: ratings": 300,
    "admin: cups": 50,
}
"""So many pages of the database some touch at most on the larger site: each once read what others had."""


def measure(names, players):
    fill(players)
    return {name: ask(*PATHS[name], players=players) for name in names}


def is_over_budget(name, page):
    return name in BUDGETS and min(page["pages"], page["by_index"]) > BUDGETS[name]


@pytest.fixture
def forget():
    """Return what removes all that was stored since; at the end too, for what removes it row by row takes a minute."""
    tables, last = empty_tables(), Player.objects.aggregate(last=Max("pk"))["last"] or 0

    def remove():
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {', '.join(map(connection.ops.quote_name, tables))} CASCADE")
            cursor.execute("DELETE FROM players_player WHERE id > %s", [last])

    yield remove
    remove()


def empty_tables():
    with connection.cursor() as cursor:
        found = []
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")
            if not cursor.fetchone()[0]:
                found.append(table)
        return found


@pytest.fixture
def no_autovacuum():
    """Let nothing but this test's own VACUUM ANALYZE change what PostgreSQL knows of the tables."""
    tables = [connection.ops.quote_name(table) for table in connection.introspection.django_table_names()]
    with connection.cursor() as cursor:
        try:
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")
            yield
        finally:
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} RESET (autovacuum_enabled)")


@pytest.mark.nightly
@pytest.mark.usefixtures("no_autovacuum")
def test_no_page_costs_more_for_the_size_of_the_site(forget):
    first_too = {*PATHS, *map(first_page, PATHS)}
    before = measure(first_too, SMALL)
    forget()
    after = measure(PATHS, LARGE)
    assert {name: page["status"] for name, page in after.items() if page["status"] != 200} == {"next turn": 302}
    assert {name: page["bytes"] for name, page in after.items() if page["bytes"] > MAX_BYTES} == {}
    limits = {name: compared(name, before) for name in PATHS}
    judged = {name: page for name, page in after.items() if name not in LONGER}
    grown = [name for name, page in judged.items() if has_grown(limits[name], page) or is_over_budget(name, page)]
    if grown:
        vacuum()
    again = {name: (limits[name], ask(*PATHS[name], players=LARGE)) for name in grown}
    assert {name: costs for name, costs in again.items() if has_grown(*costs)} == {}
    assert {name: page for name, (_before, page) in again.items() if is_over_budget(name, page)} == {}
