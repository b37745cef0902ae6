"""Partitions of the table of moves, each of a range of matches, for sites on PostgreSQL that ask for them."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Max

from matches.models import Match

TABLE = "matches_move"
REST = "matches_move_rest"
"""Takes the moves of matches for which no partition was made in time, so that nobody waits for one."""
FIRST_RANGE = "move_in_first_partition"
LOCK_TIMEOUT = "5s"

_BOUNDS = re.compile(r"FROM \((?:MINVALUE|'?(\d+)'?)\) TO \('?(\d+)'?\)")


class Partition(NamedTuple):
    """A table with the moves of the matches from ``first`` on, and before ``end``."""

    name: str
    first: int
    end: int


def list_partitions() -> list[Partition]:
    """Return the partitions in the order of their matches, none if the table is not partitioned."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT part.relname, pg_get_expr(part.relpartbound, part.oid)
            FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
            WHERE inhparent = %s::regclass
            """,
            [TABLE],
        )
        found = [(name, _BOUNDS.search(bounds)) for name, bounds in cursor.fetchall()]
    return sorted(
        (Partition(name, int(bounds[1] or 0), int(bounds[2])) for name, bounds in found if bounds),
        key=lambda partition: partition.first,
    )


def partition_moves(*, size: int) -> Partition:
    """Turn the table into a partitioned one, whose first partition is the table as it was; return that one.

    It reads every move once, beside moves that are stored and read, and rewrites none. An interrupted run is begun
    anew by the next one.
    """
    last = _last_match()
    end = (last // size + 2) * size
    first = f"{TABLE}_from_0"
    with connection.cursor() as cursor:
        # Then PostgreSQL need not read all moves while it holds the lock.
        cursor.execute(f"ALTER TABLE {TABLE} DROP CONSTRAINT IF EXISTS {FIRST_RANGE}")
        cursor.execute(f"ALTER TABLE {TABLE} ADD CONSTRAINT {FIRST_RANGE} CHECK (match_id < {end}) NOT VALID")
        cursor.execute(f"ALTER TABLE {TABLE} VALIDATE CONSTRAINT {FIRST_RANGE}")
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype = 'f'",
            [TABLE],
        )
        keys = cursor.fetchall()
        with transaction.atomic():
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
            cursor.execute(f"ALTER TABLE {TABLE} RENAME TO {first}")
            cursor.execute(f"ALTER TABLE {first} RENAME CONSTRAINT {TABLE}_pkey TO {first}_pkey")
            cursor.execute(
                f"CREATE TABLE {TABLE} (LIKE {first} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
                " PARTITION BY RANGE (match_id)"
            )
            cursor.execute(f"ALTER TABLE {TABLE} DROP CONSTRAINT {FIRST_RANGE}")
            cursor.execute(f"ALTER TABLE {TABLE} ADD CONSTRAINT {TABLE}_pkey PRIMARY KEY (match_id, ply)")
            for name, definition in keys:
                cursor.execute(f'ALTER TABLE {TABLE} ADD CONSTRAINT "{name}" {definition}')
            cursor.execute(f"ALTER TABLE {TABLE} ATTACH PARTITION {first} FOR VALUES FROM (MINVALUE) TO ({end})")
            cursor.execute(f"ALTER TABLE {first} DROP CONSTRAINT {FIRST_RANGE}")
            cursor.execute(f"CREATE TABLE {REST} PARTITION OF {TABLE} DEFAULT")
    return Partition(first, 0, end)


def make_partitions(*, size: int, ahead: int) -> list[Partition]:
    """Make partitions of ``size`` matches until ``ahead`` of them are beyond the last match; return the new ones."""
    end, last = list_partitions()[-1].end, _last_match()
    # Moves that are in the rest already stay there.
    end = max(end, (last // size + 1) * size) if last >= end else end
    made = []
    while end <= last + ahead * size:
        new = Partition(f"{TABLE}_from_{end}", end, end + size)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
            cursor.execute(f"CREATE TABLE {new.name} (LIKE {TABLE} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
            cursor.execute(
                f"ALTER TABLE {TABLE} ATTACH PARTITION {new.name} FOR VALUES FROM ({new.first}) TO ({new.end})"
            )
        made.append(new)
        end = new.end
    return made


def move_partitions(*, before: int, tablespace: str) -> list[Partition]:
    """Move the partitions of matches before one of them, with their indexes, to a tablespace; return those moved.

    Moves of a partition cannot be read while it is copied.
    """
    quoted = connection.ops.quote_name(tablespace)
    moved = [partition for partition in list_partitions() if partition.end <= before]
    for partition in moved:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass", [partition.name]
            )
            indexes = [name for (name,) in cursor.fetchall()]
            with transaction.atomic():
                cursor.execute(f"ALTER TABLE {partition.name} SET TABLESPACE {quoted}")
                for index in indexes:
                    cursor.execute(f"ALTER INDEX {index} SET TABLESPACE {quoted}")
    return moved


def _last_match() -> int:
    last: int | None = Match.objects.aggregate(last=Max("pk"))["last"]
    return last or 0
