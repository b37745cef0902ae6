"""Partitions of the table of moves, each of a range of matches, for sites on PostgreSQL that ask for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Max

from matches.models import Match

TABLE = "matches_move"
REST = "matches_move_rest"
"""Takes the moves of matches for which no partition was made in time, so that nobody waits for one."""
FIRST_RANGE = "move_in_first_partition"
REST_RANGE = "move_before_new_partitions"
LOCK_TIMEOUT = "5s"
LOCK_TIMEOUT_BEHIND_READERS = "500ms"
"""Shorter than the second after which PostgreSQL ends one of two transactions that wait for each other."""

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


def matches_ahead() -> int | None:
    """Return for how many matches after the last one there are partitions, ``None`` if the table is not partitioned.

    Those in a gap are not counted: their moves go to the rest, as ``make_partitions`` was forgotten. At 0 those of all
    new matches do.
    """
    partitions = list_partitions() if connection.vendor == "postgresql" else []
    following = _last_match() + 1
    return sum(max(0, each.end - max(each.first, following)) for each in partitions) if partitions else None


def partition_moves(*, size: int) -> Partition:
    """Turn the table into a partitioned one, whose first partition is the table as it was; return that one.

    It reads every move once, beside moves that are stored and read, and rewrites none. A run that fails leaves the
    table as it was; one whose process is killed is begun anew by the next one.
    """
    end = (_last_match() // size + 2) * size
    first = f"{TABLE}_from_0"
    _add_check(TABLE, FIRST_RANGE, end)
    try:
        _validate_check(TABLE, FIRST_RANGE)
        _put_below_partitioned(first, end)
    except BaseException:
        # It would refuse the moves of all matches from there on.
        _drop_check(TABLE, FIRST_RANGE)
        raise
    return Partition(first, 0, end)


def _put_below_partitioned(first: str, end: int) -> None:
    """Give the table a new name, and make it the first partition of one that has the old name."""
    with _locked_matches() as cursor:
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype = 'f'",
            [TABLE],
        )
        keys = cursor.fetchall()
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


def make_partitions(*, size: int, ahead: int) -> list[Partition]:
    """Make partitions of ``size`` matches until ``ahead`` of them are beyond the last match; return the new ones.

    Moves that are in the rest stay there. While it has some the next partition begins after the one that the last match
    would be in, and at least two are made ahead: so no match comes as far while the rest is read.
    """
    end, last = list_partitions()[-1].end, _last_match()
    has_rest = _has_rest()
    if has_rest or last >= end:
        end, ahead = max(end, (last // size + 2) * size), max(ahead, 2)
    missing = []
    while end <= last + ahead * size:
        missing.append(Partition(f"{TABLE}_from_{end}", end, end + size))
        end += size
    if missing and has_rest:
        _add_check(REST, REST_RANGE, missing[0].first)
        try:
            _validate_check(REST, REST_RANGE)
            _attach(missing)
        finally:
            _drop_check(REST, REST_RANGE)
    else:
        _attach(missing)
    return missing


def _attach(partitions: list[Partition]) -> None:
    for new in partitions:
        with _locked_matches() as cursor:
            cursor.execute(f"CREATE TABLE {new.name} (LIKE {TABLE} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
            cursor.execute(
                f"ALTER TABLE {TABLE} ATTACH PARTITION {new.name} FOR VALUES FROM ({new.first}) TO ({new.end})"
            )


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
                cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
                cursor.execute(f"ALTER TABLE {partition.name} SET TABLESPACE {quoted}")
                for index in indexes:
                    cursor.execute(f"ALTER INDEX {index} SET TABLESPACE {quoted}")
    return moved


def analyse_moves() -> None:
    """Count what planners of queries want to know of the partitioned table: PostgreSQL does so by itself of none."""
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {TABLE}")


@contextmanager
def _locked_matches() -> Iterator[CursorWrapper]:
    """Give a cursor in a transaction that has locked the table of matches, as a move does before it comes to moves."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute("LOCK TABLE matches_match IN ACCESS EXCLUSIVE MODE")
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT_BEHIND_READERS}'")
        yield cursor


def _add_check(table: str, name: str, end: int) -> None:
    """Let a table take moves of matches before one of them only.

    When the constraint has been validated PostgreSQL need not read the rows while it holds locks.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
        cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK (match_id < {end}) NOT VALID")


def _validate_check(table: str, name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")


def _drop_check(table: str, name: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")


def _has_rest() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM matches_move_rest)")
        return bool(cursor.fetchone()[0])


def _last_match() -> int:
    last: int | None = Match.objects.aggregate(last=Max("pk"))["last"]
    return last or 0
