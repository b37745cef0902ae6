"""Outcomes do not depend on when a worker ran: what is over or overdue comes before whatever is done next."""

from typing import Any

import pytest

from formats.advancement import NEXT_MONTH
from tests.marks import nightly, nightly_rows
from tests.tournaments.verbs import NOON
from tests.tournaments.worlds import MINUTE, run_both
from tournaments.models import Competition, Cup, Ladder, RoundEnd

pytestmark = pytest.mark.django_db

ELIMINATION: dict[str, Any] = {"third_place": True, "at_round_end": RoundEnd.ADJUDICATE}
MONTH_BEFORE = (NOON + 18 * MINUTE).replace(month=NOON.month - 1)
"""The start for which a cup was set that begins at noon: its next month begins in the middle of what happens."""

KINDS: dict[str, tuple[type[Competition], int, dict[str, Any]]] = {
    "one leg": (Cup, 5, ELIMINATION | {"legs": 1, "replays": 0}),
    "two legs": (Cup, 4, ELIMINATION | {"at_round_end": RoundEnd.FORFEIT}),
    "round robin": (Cup, 4, {"format": "round-robin", "at_round_end": RoundEnd.ADJUDICATE}),
    "swiss": (
        Cup,
        5,
        {"format": "swiss", "rounds": 6, "byes_on_request": True, "late_entry": True, "at_round_end": "adjudicate"},
    ),
    "swiss with proposed rounds": (
        Cup,
        5,
        {
            "format": "swiss",
            "rounds": 4,
            "byes_on_request": True,
            "organisers_publish": True,
            "late_entry": True,
            "at_round_end": "adjudicate",
        },
    ),
    "double elimination": (Cup, 4, {"format": "double-elimination", "legs": 1, "at_round_end": RoundEnd.FORFEIT}),
    "groups": (
        Cup,
        6,
        {
            "format": "round-robin",
            "grouping": {"groups": 2},
            "advance": {"first": 2},
            "later": [{"format": "knock-out", "legs": 1}],
        },
    ),
    "levels": (
        Cup,
        8,
        {
            "format": "round-robin",
            "grouping": {"whenever": 3},
            "advance": {"first": 1, "levels": 99},
            "late_entry": True,
        },
    ),
    "months": (
        Cup,
        9,
        {
            "format": "round-robin",
            "starts_at": MONTH_BEFORE,
            "grouping": {"size": 3},
            "advance": {"first": 1, "levels": 99, "begins": NEXT_MONTH},
        },
    ),
    "points ladder": (Ladder, 5, {"rematch_days": 0, "min_matches": 2}),
    "challenge ladder": (Ladder, 5, {"format": "challenge-ladder", "rematch_days": 0}),
}
USUAL = ("swiss with proposed rounds", "groups")
"""The others have late workers at night."""


@pytest.mark.parametrize(("seed", "steps"), [(0, 12), *nightly_rows((seed, 30) for seed in range(6))])
@pytest.mark.parametrize("kind", [*USUAL, *nightly(sorted(KINDS.keys() - {*USUAL}))])
def test_workers_that_come_late_change_no_table_no_tie_and_no_place(kind, seed, steps):
    results = run_both(*KINDS[kind], seed=seed, steps=steps)
    # A small cup may soon be over where rounds are ended before anybody moved.
    assert sum(each.endswith("ok") for each in results) > 1
