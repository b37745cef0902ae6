"""What the results of a group add up to for each entrant: one query, in the database.

Written in SQL that PostgreSQL and SQLite share, because each result counts once for either side.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import connection

_SEEN_BY = """
    SELECT {own}_id AS entrant, {red} AS as_red, points_{own} AS points, points_{other} AS points_against,
           goals_{own} AS goals_for, goals_{other} AS goals_against {more}
      FROM tournaments_fixture
     WHERE group_id = %(group)s AND counted_at IS NOT NULL AND NOT is_annulled AND finished_at >= %(since)s
"""

_BEST_FIRST = """
    SELECT seen.*,
           row_number() OVER (
               PARTITION BY entrant
                   ORDER BY points DESC, goals_for - goals_against DESC, goals_for DESC, finished_at, id
           ) AS number,
           count(*) OVER (PARTITION BY entrant) AS results
      FROM ({seen}) seen
"""

_SUMS = """
    SELECT entrant, {results} AS results,
           count(*) AS played,
           count(*) FILTER (WHERE points > points_against) AS won,
           count(*) FILTER (WHERE points = points_against) AS drawn,
           sum(as_red) AS as_red, sum(goals_for) AS goals_for, sum(goals_against) AS goals_against,
           sum(points) AS points
      FROM ({seen}) seen
     WHERE {counted}
     GROUP BY entrant
"""

_ENTRIES = """
    SELECT seat.id, entry.id, entry.status, entry.draw, seat.position,
           coalesce(results, 0), coalesce(played, 0), coalesce(won, 0), coalesce(drawn, 0),
           coalesce(played - won - drawn, 0), coalesce(as_red, 0), coalesce(goals_for, 0),
           coalesce(goals_against, 0), coalesce(points, 0)
      FROM tournaments_seat seat
      JOIN tournaments_entry entry ON entry.id = seat.entry_id
      LEFT JOIN ({sums}) sums ON sums.entrant = entry.id
     WHERE seat.group_id = %(group)s
"""


class Totals(NamedTuple):
    """A seat, its entry, and what its results add up to.

    ``results`` are all of them, the sums after it the counted ones.
    """

    seat_id: int
    entry_id: int
    status: str
    draw: int
    position: int | None
    results: int
    played: int
    won: int
    drawn: int
    lost: int
    as_red: int
    goals_for: int
    goals_against: int
    points: int


def add_up_results(*, group_id: int, since: datetime, best: int | None) -> list[Totals]:
    """Return the sums of all seats of a group over the results from ``since`` on.

    ``best`` counts only so many of each entrant's results: those with most points, then with the better goals.
    """
    seen = " UNION ALL ".join(
        _SEEN_BY.format(own=own, other=other, red=red, more=", finished_at, id" if best else "")
        for red, (own, other) in enumerate((("yellow", "red"), ("red", "yellow")))
    )
    counted, results = "true", "count(*)"
    values = {"group": group_id, "since": connection.ops.adapt_datetimefield_value(since)}
    if best:
        seen = _BEST_FIRST.format(seen=seen)
        counted, results = "number <= %(best)s", "max(results)"
        values["best"] = best
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES.format(sums=_SUMS.format(seen=seen, counted=counted, results=results)), values)
        return list(map(Totals._make, cursor.fetchall()))
