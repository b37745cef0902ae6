"""No page and no answer asks the database for the rows of a list one by one.

Requests of all other tests are watched for it too, see ``tests.plugins.n_plus_one``; here they meet several rows of
each kind, and a statement that is sent for each of them is noticed in whatever way it was asked for.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from zeal import NPlusOneError, zeal_context

from tests.config.season import ROWS, Season, begun_season
from tests.marks import nightly
from tests.permissions.test_permissions import TABLE
from tournaments.models import Entry, Seat

pytestmark = pytest.mark.django_db

PLAYED_ON = (
    "/fixtures/<int:fixture_id>/replay/preview/",
    "/fixtures/<int:fixture_id>/take-back-decision/preview/",
    "/entries/<int:entry_id>/disqualify/preview/",
    "/entries/<int:entry_id>/take-back-entry/preview/",
)
"""Their previews end matches one by one, as moves may meet them, in a transaction that is rolled back."""

ROUTES = sorted(route for method, route in TABLE if method == "GET" and not route.endswith(PLAYED_ON))


@pytest.fixture(scope="module")
def season(module_transaction: None) -> Iterator[Season]:
    """Yield one for all the requests, which only read."""
    with begun_season() as season:
        yield season


@pytest.fixture(scope="module")
def clients(season: Season) -> list[Client]:
    """Return clients of who plays in everything, and of who organises it."""
    clients = [Client(), Client()]
    for client, player in zip(clients, (season.player, season.boss), strict=True):
        client.force_login(player)
    return clients


class Statements:
    """The number of times that each statement was sent; savepoints are none."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "SAVEPOINT" not in sql:
            self.count[sql] += 1
        return execute(sql, params, many, context)

    def repeated(self) -> dict[str, int]:
        return {sql: number for sql, number in self.count.items() if number >= ROWS}


def read(client: Client, url: str) -> tuple[int, dict[str, int]]:
    """Return the status, and which statements were sent too often until the answer was complete."""
    statements = Statements()
    with zeal_context(), connection.execute_wrapper(statements):
        response = client.get(url)
        b"".join(response)
    return response.status_code, statements.repeated()


@pytest.mark.parametrize("asks_both", [False, *nightly([True])], ids=["one", "both"])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route or "home")
def test_no_row_of_a_list_is_asked_for_by_itself(season, clients, route, asks_both):
    statuses: set[int] = set()
    for client in clients:
        # Who plays in everything organises it, too: of most pages the other sees less.
        if 200 in statuses and not asks_both:
            break
        for url in season.urls(route):
            cache.clear()
            status, repeated = read(client, url)
            assert repeated == {}, url
            statuses.add(status)
    if 200 in TABLE["GET", route][1:]:
        assert 200 in statuses


def test_a_loop_that_follows_a_relation_is_noticed(season):
    with zeal_context(), pytest.raises(NPlusOneError, match=r"Entry\.player"):
        assert [entry.player.username for entry in Entry.objects.all()]


def test_a_loop_of_other_queries_is_noticed(season):
    statements = Statements()
    with connection.execute_wrapper(statements):
        assert sum(Seat.objects.filter(seed=number + 1000).count() for number in range(ROWS)) == 0
    assert list(statements.repeated().values()) == [ROWS]
