"""Storing a move: its progress and its moves together, or nothing."""

import pytest
from django.db import IntegrityError, connection, transaction

from matches.models import Match, Move
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.move_storage import store_moves
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, stored, unchanged

pytestmark = pytest.mark.both_databases


def play_in_memory(match: Match, text: str) -> tuple[Match, list[Move]]:
    """Return the match as it will be after the move, and what is to be stored of it."""
    match = get_match(match.pk)
    return match, progress.play(match, match.state.play(text), Side(match.side), [text], now=NOON)


def test_a_move_is_stored_with_the_rolls_after_it(begin):
    match, moves = play_in_memory(act(begin(), YELLOW_SET_UP), RED_SET_UP)
    assert len(moves) > 1
    assert store_moves(match, moves)
    fields, rows = stored(match)
    assert {name: fields[name] for name in progress.PROGRESS} == {
        name: getattr(match, name) for name in progress.PROGRESS
    }
    assert [(row["ply"], row["actor"], row["text"], row["played_at"], row["thinking"]) for row in rows[1:]] == [
        (move.ply, move.actor, move.text, move.played_at, move.thinking) for move in moves
    ]


@pytest.mark.parametrize("changed", [{"ply": 7}, {"extensions": 1}], ids=["a move", "an extension"])
def test_nothing_is_stored_when_the_match_has_changed_since_it_was_read(changed, begin):
    match, moves = play_in_memory(begin(), YELLOW_SET_UP)
    Match.objects.filter(pk=match.pk).update(**changed)
    with unchanged(match):
        assert not store_moves(match, moves)


def test_nothing_is_stored_when_a_move_cannot_be(begin):
    match, moves = play_in_memory(begin(), YELLOW_SET_UP)
    Move.objects.create(match=match, ply=0, actor="chance", text="1", played_at=NOON)
    with unchanged(match), pytest.raises(IntegrityError), transaction.atomic():
        store_moves(match, moves)


@pytest.mark.postgresql
def test_moves_are_kept_in_a_table_that_an_earlier_version_has_divided(begin):
    first, later = begin(), begin()
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            ALTER TABLE matches_move RENAME TO matches_move_from_0;
            CREATE TABLE matches_move (LIKE matches_move_from_0 INCLUDING CONSTRAINTS) PARTITION BY RANGE (match_id);
            ALTER TABLE matches_move ADD PRIMARY KEY (match_id, ply);
            ALTER TABLE matches_move ATTACH PARTITION matches_move_from_0 FOR VALUES FROM (MINVALUE) TO ({later.pk});
            CREATE TABLE matches_move_rest PARTITION OF matches_move DEFAULT;
            """
        )
        for match in (first, later):
            assert act(match, YELLOW_SET_UP).moves.get(ply=0).text == YELLOW_SET_UP
        cursor.execute("SELECT tableoid::regclass::text FROM matches_move WHERE ply = 0 ORDER BY match_id")
        assert cursor.fetchall() == [("matches_move_from_0",), ("matches_move_rest",)]
