"""Sums of the results of a group for each entrant, and which results count: in the database.

Written in SQL that PostgreSQL and SQLite share, because each result counts once for either side.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from formats.scoring.tiebreaks import Meeting

MAX_ENTRANTS_BY_ID = 1000
"""Of so many entrants at most the results are asked for by name; of more, all results are fetched."""

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

_BEST = """
    SELECT entrant, opponent, points FROM ({seen}) seen WHERE number <= %(best)s AND {among}
"""

_ENTRIES = """
    SELECT seat.id, entry.id, entry.status, entry.disqualification, entry.draw, seat.position,
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
    disqualification: str
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
    """Return the sums of all seats of a group over the results from ``since`` on. One query.

    ``best`` counts only so many of each entrant's results: those with most points, then with the better goals.
    """
    sums, values = select_sums(group_id=group_id, since=since, best=best)
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES.format(sums=sums), values)
        return list(map(Totals._make, cursor.fetchall()))


def select_sums(*, group_id: int, since: datetime, best: int | None) -> tuple[str, dict[str, Any]]:
    """Return the query of the sums that ``add_up_results`` returns, of those who have a result, and its parameters."""
    values = _values(group_id, since)
    if not best:
        return _SUMS.format(seen=_seen(), counted="true", results="count(*)"), values
    values["best"] = best
    return _SUMS.format(seen=_best_first(), counted="number <= %(best)s", results="max(results)"), values


def best_rounds(
    entrants: Collection[int], *, group_id: int, since: datetime, best: int
) -> Mapping[int, list[Meeting[int]]]:
    """Return at least the rounds of these entrants that are among the ``best`` of their own. One query.

    They are the results that ``add_up_results`` counts.
    """
    values = _values(group_id, since) | {"best": best}
    among = "true"
    if len(entrants) <= MAX_ENTRANTS_BY_ID:
        named = {f"entrant_{number}": entrant for number, entrant in enumerate(entrants)}
        among = f"entrant IN ({', '.join(f'%({name})s' for name in named)})"
        values |= named
    rounds: dict[int, list[Meeting[int]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_BEST.format(seen=_best_first(), among=among), values)
        for entrant, opponent, points in cursor.fetchall():
            rounds[entrant].append(Meeting(opponent, points))
    return rounds


def _seen(more: str = "") -> str:
    """Return the query of every result as each of its sides sees it."""
    return " UNION ALL ".join(
        _SEEN_BY.format(own=own, other=other, red=red, more=more.format(other=other))
        for red, (own, other) in enumerate((("yellow", "red"), ("red", "yellow")))
    )


def _best_first() -> str:
    return _BEST_FIRST.format(seen=_seen(", {other}_id AS opponent, finished_at, id"))


def _values(group_id: int, since: datetime) -> dict[str, Any]:
    return {"group": group_id, "since": connection.ops.adapt_datetimefield_value(since)}
