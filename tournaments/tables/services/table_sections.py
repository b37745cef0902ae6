"""Keep the sections of a ladder's table equal to its stored rows.

A page of the table is found by them, and not by an index on the place: one result changes nearly all places, and each
would be written in that index, too.
"""

from __future__ import annotations

from django.db import connection

from tournaments.records import table_sections

_STORE = """
    INSERT INTO tournaments_tablesection (group_id, number, seats)
    SELECT %(group)s, (line - 1) / %(size)s, seats
      FROM (SELECT line,
                   {gather}(seat_id) OVER (PARTITION BY (line - 1) / %(size)s ORDER BY line
                                           ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS seats
              FROM (SELECT seat_id, row_number() OVER (ORDER BY place, seat_id) AS line
                      FROM tournaments_standing
                     WHERE group_id = %(group)s AND place IS NOT NULL) AS ordered) AS gathered
     WHERE (line - 1) %% %(size)s = 0
        ON CONFLICT (group_id, number) DO UPDATE SET seats = excluded.seats
     WHERE tournaments_tablesection.seats <> excluded.seats
"""
"""A large table is not read: ``sections_of_rows`` says in Python what its sections are."""
_REMOVE = """
    DELETE FROM tournaments_tablesection
     WHERE group_id = %(group)s
       AND number * %(size)s >= (SELECT count(place) FROM tournaments_standing WHERE group_id = %(group)s)
"""


def store_sections(*, group_id: int) -> None:
    """Make the sections of a group's table those of its stored rows. Two queries.

    Only those that differ are written.
    """
    gather = "json_group_array" if connection.vendor == "sqlite" else "jsonb_agg"
    values = {"group": group_id, "size": table_sections.SECTION}
    with connection.cursor() as cursor:
        cursor.execute(_STORE.format(gather=gather), values)
        cursor.execute(_REMOVE, values)
