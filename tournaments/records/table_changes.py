"""The differences between a ladder's stored table and what the results give, found by the database alone.

A large table stays where it is: its rows are added up, ordered and compared in one statement, and those that have
changed leave it as columns of text, which ``services.standing_rows`` hands back unread. ``compute_table`` says in
Python what the same table is.
"""

import json
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from formats.scoring.tiebreaks import TIEBREAKS
from tournaments.models import Group, Stage
from tournaments.records.result_sums import select_sums
from tournaments.records.standings import ON_LADDERS, PLACED, Line, window_start
from tournaments.records.table_sections import has_sections

_SUMS = Line._fields[Line._fields.index("played") :]

_CHANGES = """
    WITH summed AS (
        SELECT seat.id AS seat_id, seat.has_place, entry.draw, entry.status IN ({statuses}) AS is_shown,
               entry.status IN ({statuses}) AND coalesce(results, 0) >= %(least)s AS is_ranked,
               coalesce(played, 0) AS played, coalesce(won, 0) AS won, coalesce(drawn, 0) AS drawn,
               coalesce(played - won - drawn, 0) AS lost, coalesce(as_red, 0) AS as_red,
               coalesce(goals_for, 0) AS goals_for, coalesce(goals_against, 0) AS goals_against,
               coalesce(points, 0) AS points
          FROM tournaments_seat seat
          JOIN tournaments_entry entry ON entry.id = seat.entry_id
          LEFT JOIN ({sums}) sums ON sums.entrant = entry.id
         WHERE seat.group_id = %(group)s
    ), ranked AS (
        SELECT summed.*, rank() OVER (ORDER BY {order}) AS number {befores}
          FROM summed
        WINDOW above AS (ORDER BY {order} GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING)
    ), line AS (
        SELECT ranked.*, '{{}}' AS "values", CASE WHEN is_ranked THEN number END AS place,
               CASE WHEN number = 1 OR NOT is_ranked THEN '' {decisions} ELSE '' END AS decided_by
          FROM ranked
    ), compared AS (
        SELECT line.*, stored.seat_id IS NOT NULL AS is_stored, stored.place AS stored_place,
               coalesce(stored.place, 0) <> coalesce(line.place, 0) AS has_other_place,
               coalesce(stored.decided_by, '') <> line.decided_by AS has_other_reason,
               stored.seat_id IS NULL OR CAST(stored."values" AS text) <> '{{}}' OR {differences} AS has_other_sums
          FROM line
          LEFT JOIN tournaments_standing stored ON stored.seat_id = line.seat_id
    ), found AS (
        SELECT compared.*,
               is_shown AND is_stored AND (has_other_place OR has_other_reason OR has_other_sums) AS is_moved,
               is_shown AND has_other_sums AS is_counted, is_stored AND NOT is_shown AS is_gone,
               is_shown AND has_other_sums AND is_stored AND has_other_place AND place IS NOT NULL AS is_noted,
               has_place <> (is_shown AND place IS NOT NULL) AS is_noted_wrongly
          FROM compared
    )
    SELECT count(*) FILTER (WHERE is_moved OR is_counted OR is_gone),
           {gone}, {noted}, {noted_places}, {noted_wrongly}, {counted}, {moved}
      FROM found
     WHERE is_moved OR is_counted OR is_gone OR is_noted_wrongly
"""


class TableChanges(NamedTuple):
    """The rows of a table that differ from the stored ones, and how many they are.

    Those in ``gone`` are no longer in the table, by their seats. ``moved`` and ``counted`` are parameters of statements
    (``services.standing_rows``), empty for none: stored rows that differ, as ``PLACED``,
    and rows that are new or whose results add up to something else, whole. ``noted`` are the seats with
    their places, of the counted rows, that have come from one place to another. In ``noted_wrongly`` are all seats of
    which it is not noted rightly whether they have a place in the new table (``Seat.has_place``).
    """

    number: int
    gone: list[int]
    moved: list[Any]
    counted: list[Any]
    noted: list[tuple[int, int]]
    noted_wrongly: list[int]


def is_ordered_by_database(stage: Stage) -> bool:
    """Return whether ``find_changes`` knows the table of a stage: a points ladder, ordered by sums and the draw."""
    return has_sections(stage) and all(key in TIEBREAKS and TIEBREAKS[key].sql is not None for key in stage.tiebreaks)


def find_changes(*, group: Group, now: datetime) -> TableChanges:
    """Return how the stored table of a group differs from what its results give. One query.

    The group was read with its stage and competition, and its stage ``is_ordered_by_database``.
    """
    options = group.stage.chosen_options
    best = getattr(options, "best_results", None)
    sums, values = select_sums(group_id=group.pk, since=window_start(group, now), best=best)
    values["least"] = getattr(options, "min_matches", 0)
    with connection.cursor() as cursor:
        cursor.execute(_write_statement(group.stage, sums), values)
        number, gone, noted, noted_places, noted_wrongly, *columns = cursor.fetchone()
    width = 1 if connection.vendor == "sqlite" else len(Line._fields)
    return TableChanges(
        number=number,
        gone=_read(gone),
        moved=_known(columns[width:]),
        counted=_known(columns[:width]),
        noted=list(zip(_read(noted), _read(noted_places), strict=True)),
        noted_wrongly=_read(noted_wrongly),
    )


def _write_statement(stage: Stage, sums: str) -> str:
    tiebreaks = [(number, TIEBREAKS[key]) for number, key in enumerate(stage.tiebreaks)]
    order = ["is_ranked DESC", *(f"{each.sql} {'ASC' if each.lower_first else 'DESC'}" for _, each in tiebreaks)]
    return _CHANGES.format(
        statuses=", ".join(f"'{status.value}'" for status in sorted(ON_LADDERS)),
        sums=sums,
        order=", ".join(order),
        befores="".join(f", first_value({each.sql}) OVER above AS before_{number}" for number, each in tiebreaks),
        decisions=" ".join(f"WHEN {each.sql} <> before_{number} THEN '{each.key}'" for number, each in tiebreaks),
        differences=" OR ".join(f"stored.{name} <> line.{name}" for name in _SUMS),
        gone=_gather_numbers("seat_id", "is_gone"),
        noted=_gather_numbers("seat_id", "is_noted"),
        noted_places=_gather_numbers("place", "is_noted"),
        noted_wrongly=_gather_numbers("seat_id", "is_noted_wrongly"),
        counted=_gather_rows(Line._fields, "is_counted"),
        moved=_gather_rows(PLACED, "is_moved"),
    )


def _gather_numbers(name: str, condition: str) -> str:
    gather = "json_group_array" if connection.vendor == "sqlite" else "json_agg"
    return f"CAST({gather}({name}) FILTER (WHERE {condition}) AS text)"


def _gather_rows(names: tuple[str, ...], condition: str) -> str:
    """Return the rows as ``services.standing_rows`` takes them: as one JSON array of rows, or one array a column."""
    quoted = [connection.ops.quote_name(name) for name in names]
    if connection.vendor == "sqlite":
        return f"json_group_array(json_array({', '.join(quoted)})) FILTER (WHERE {condition})"
    return ", ".join(f"CAST(array_agg({name}) FILTER (WHERE {condition}) AS text)" for name in quoted)


def _read(numbers: str | None) -> list[int]:
    return list(json.loads(numbers or "[]"))


def _known(columns: list[Any]) -> list[Any]:
    """Return the columns, none of them where they have no rows."""
    return [] if columns[0] in (None, "[]") else columns
