"""Whatever makes rows or mails for others is counted under a row of the table of budgets."""

import re
from typing import Any

import pytest
from django.db import connection

from tests.permissions.test_permissions import TABLE, ask, clients, whoever_may, world
from web.limits import budgets
from web.limits.budgets import Unit
from web.limits.request_counts import count_request
from web.limits.table import REQUESTS

__all__ = ["clients", "world"]

pytestmark = pytest.mark.django_db

INSERT = re.compile(r"INSERT (?:OR IGNORE )?INTO [\"']?(\w+)")

OWN = frozenset(
    {
        # Rows of one's own, or of the site.
        "django_session",
        "web_idempotentresponse",
        "tournaments_ratingcount",
        "players_apitoken",
        "players_mailsettings",
        "players_vacationday",
        "players_namechanges",
        "push_pushkey",
        "push_pushsettings",
        "push_pushsubscription",
        # The name that a player gives up.
        "players_heldname",
        # One a turn, and the opponent has the next.
        "matches_move",
    }
)
"""Tables in which nobody else gets rows by what a player does, or none without doing something in return."""

USUAL = {kind for kind, budget in REQUESTS.items() if budget.unit is Unit.ACCOUNT_OR_CLIENT}
"""The rates of all requests, which do not bound what is written."""


def test_what_makes_rows_or_mails_for_others_has_a_row_in_the_table(
    world: Any, clients: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    inserted: set[str] = set()
    spent: set[str] = set()

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        inserted.update(INSERT.findall(sql))
        return execute(sql, params, many, context)

    def note(key: str, **rate: Any) -> Any:
        spent.add(key.partition(":")[0])
        return count_request(key, **rate)

    monkeypatch.setattr(budgets, "count_request", note)
    counted, uncounted = set(), {}
    for method, route in TABLE:
        if method == "GET" or route.startswith("admin/"):
            continue
        inserted.clear()
        spent.clear()
        with connection.execute_wrapper(watch):
            ask(clients[whoever_may(method, route)], world, method, route)
        if inserted - OWN:
            counted |= spent - USUAL
            if not spent - USUAL:
                uncounted[method, route] = sorted(inserted - OWN)
    assert uncounted == {}
    assert counted >= {"games", "seeks", "competitions", "acts", "announcements", "mails", "teams"}
