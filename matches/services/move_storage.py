"""Storage of moves: the match's progress and its moves are stored together or not at all."""

from collections.abc import Sequence
from functools import cache

from django.db import connection, transaction

from database.compiled_queries import prepared_cursor
from matches.models import Match, Move, Status
from matches.services import progress

MOVE = {
    "ply": "integer",
    "actor": "text",
    "text": "text",
    "played_at": "timestamptz",
    "thinking": "bigint",
    "is_drawn": "boolean",
    "by_itself": "boolean",
    "allowance": "smallint",
}
"""The columns of a move in the statement, with PostgreSQL's types."""


def store_moves(match: Match, moves: Sequence[Move]) -> bool:
    """Store the progress with its moves, if the stored match is still played at the first one's ply.

    Return whether it was stored. As in ``progress.store`` nothing else may have changed that was read. On PostgreSQL
    this is one statement, which needs no transaction.
    """
    if connection.vendor == "postgresql":
        return _store_at_once(match, moves)
    with transaction.atomic():
        stored = progress.store(match, ply=moves[0].ply)
        if stored:
            Move.objects.bulk_create(moves)
    return stored


def _store_at_once(match: Match, moves: Sequence[Move]) -> bool:
    values = [getattr(match, name) for name in progress.PROGRESS]
    values += [match.pk, moves[0].ply, Status.PLAYING.value, *(getattr(match, name) for name in progress.AS_READ)]
    values += [[getattr(move, name) for move in moves] for name in MOVE]
    cursor = prepared_cursor()
    cursor.execute(_statement(), values)
    return bool(cursor.rowcount)


@cache
def _statement() -> str:
    """Return one statement for any number of moves, so that it is prepared once on each connection."""
    assignments = ", ".join(f"{name} = %s" for name in progress.PROGRESS)
    columns = ", ".join(f"%s::{kind}[]" for kind in MOVE.values())
    known = " AND ".join(f"{name} = %s" for name in progress.AS_READ)
    return f"""
        WITH stored AS (
            UPDATE matches_match SET {assignments}, changed_at = statement_timestamp()
            WHERE id = %s AND ply = %s AND status = %s AND {known}
            RETURNING id
        )
        INSERT INTO matches_move (match_id, {", ".join(MOVE)})
        SELECT stored.id, move.*
        FROM stored, unnest({columns}) AS move ({", ".join(MOVE)})
    """  # noqa: S608 - only names of columns and types are put in
