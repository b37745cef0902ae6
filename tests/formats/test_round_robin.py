"""The round robin: its rounds, those that latecomers add, its end, its table."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import pytest

from formats.pairing.round_robin import schedule
from formats.protocol import Absence, Game, HeldRound, Place, Record, Seat
from formats.round_robin import RoundRobin, RoundRobinOptions
from rules_engine.values import BySide, Ending

ROBIN = RoundRobin()
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ONCE, TWICE = RoundRobinOptions(), RoundRobinOptions(cycles=2)


def make_seats(names, **about):
    return tuple(Seat(name, seed, lot=seed, **about) for seed, name in enumerate(names, start=1))


def publish(record: Record[Any], rounds) -> Record[Any]:
    """Return the record with these rounds, and a match without a result for each pair."""
    games = [Game(each.number, pair.sides) for each in rounds for pair in each.pairs]
    held = [HeldRound(each.number, byes=each.byes) for each in rounds]
    return replace(record, games=(*record.games, *games), rounds=(*record.rounds, *held))


def finish(record: Record[Any]) -> Record[Any]:
    won = [replace(game, points=BySide(5, 0), goals=BySide(1, 0)) for game in record.games]
    return replace(record, games=tuple(won))


@pytest.mark.parametrize("options", [ONCE, TWICE])
@pytest.mark.parametrize("size", [2, 3, 4, 9])
def test_all_rounds_of_the_berger_tables_are_published_at_the_start(size, options):
    record: Record[Any] = Record(make_seats(range(size)))
    rounds = ROBIN.next_rounds(record, options, 1)
    assert [(each.number, [pair.sides for pair in each.pairs]) for each in rounds] == [
        (each.number, list(each.pairs)) for each in schedule(range(size), options.cycles)
    ]
    assert ROBIN.next_rounds(publish(record, rounds), options, 1) == ()


def test_a_latecomer_adds_a_round_against_everybody_and_later_ones_meet_those_before_them():
    record = publish(Record(make_seats("ABC")), ROBIN.next_rounds(Record(make_seats("ABC")), ONCE, 1))
    late = (Seat("D", 4, first_round=4), Seat("E", 5, first_round=4))
    fourth, fifth = ROBIN.next_rounds(replace(record, seats=(*record.seats, *late)), ONCE, 1)
    assert (fourth.number, fifth.number) == (4, 5)
    assert {frozenset(pair.sides) for pair in fourth.pairs} == {frozenset(pair) for pair in ("DA", "DB", "DC")}
    assert {frozenset(pair.sides) for pair in fifth.pairs} == {frozenset(pair) for pair in ("EA", "EB", "EC", "ED")}


def sides_of(drawn) -> list[str]:
    """Return the pairs of a round, each with Yellow first."""
    return ["".join(pair.sides) for pair in drawn.pairs]


def test_a_latecomer_is_yellow_against_opponents_who_have_been_it_more_often():
    record: Record[Any] = Record(make_seats("ABCD"))
    record = publish(record, ROBIN.next_rounds(record, ONCE, 1))
    # A and B were Yellow twice, C and D once.
    late = replace(record, seats=(*record.seats, Seat("E", 5, lot=5, first_round=4)))
    (fourth,) = ROBIN.next_rounds(late, ONCE, 1)
    assert sides_of(fourth) == ["EB", "EA", "CE", "DE"]
    late = replace(publish(late, [fourth]), seats=(*late.seats, Seat("F", 6, lot=6, first_round=5)))
    # Now everybody was Yellow twice, C and D last of all: F is so against them, and then it is the others' turn.
    (fifth,) = ROBIN.next_rounds(late, ONCE, 1)
    assert sides_of(fifth) == ["FD", "FC", "EF", "BF", "AF"]


def test_matches_that_nobody_plays_leave_the_balance_as_it_is():
    record: Record[Any] = Record(make_seats("ABCD"))
    record = publish(record, ROBIN.next_rounds(record, ONCE, 1))
    gone = tuple(replace(seat, absences=(Absence(NOON),)) if seat.entrant == "A" else seat for seat in record.seats)
    late = replace(record, seats=(*gone, Seat("E", 5, lot=0, first_round=4)))
    (fourth,) = ROBIN.next_rounds(late, ONCE, 1)
    # Had E been Yellow against A, who is gone, C would be it next, and not E.
    assert sides_of(fourth) == ["EB", "EA", "EC", "DE"]
    forfeited = [replace(game, ending=Ending.FORFEIT) if game.sides.yellow == "B" else game for game in record.games]
    (fourth,) = ROBIN.next_rounds(replace(late, games=tuple(forfeited)), ONCE, 1)
    assert sides_of(fourth) == ["EA", "ED", "EC", "BE"]


def test_a_latecomer_of_a_double_round_robin_plays_everybody_from_both_sides():
    record = Record((*make_seats("ABC"), Seat("D", 4, first_round=7)))
    added = ROBIN.next_rounds(record, TWICE, 1)[-1]
    assert sorted(map(tuple, (pair.sides for pair in added.pairs))) == [
        ("A", "D"), ("B", "D"), ("C", "D"), ("D", "A"), ("D", "B"), ("D", "C"),
    ]  # fmt: skip


def test_it_is_over_when_every_match_of_every_round_has_its_result():
    record = publish(Record(make_seats("ABCD")), ROBIN.next_rounds(Record(make_seats("ABCD")), ONCE, 1))
    assert not ROBIN.is_over(Record(record.seats), ONCE)
    assert not ROBIN.is_over(record, ONCE)
    finished = finish(record)
    assert ROBIN.is_over(finished, ONCE)
    assert not ROBIN.is_over(replace(finished, games=(record.games[0], *finished.games[1:])), ONCE)
    assert not ROBIN.is_over(replace(finished, seats=(*record.seats, Seat("E", 5, first_round=4))), ONCE)


def test_an_annulled_match_does_not_keep_it_from_ending():
    finished = finish(publish(Record(make_seats("ABCD")), ROBIN.next_rounds(Record(make_seats("ABCD")), ONCE, 1)))
    assert ROBIN.is_over(replace(finished, games=finished.games[1:]), ONCE)


def test_the_table_is_ordered_by_points_and_last_of_all_by_the_draw():
    games = (
        Game(1, BySide("A", "B"), points=BySide(2, 3), goals=BySide(0, 1)),
        Game(1, BySide("C", "D"), points=BySide(2, 2), goals=BySide(1, 1)),
    )
    record = Record(make_seats("ABCD"), games)
    assert ROBIN.places(record, ONCE, ROBIN.tiebreaks) == [
        Place("B", 1), Place("C", 2), Place("D", 3), Place("A", 4),
    ]  # fmt: skip
    assert {each.place for each in ROBIN.places(record, ONCE, ["matches-as-red"])} == {1, 3}


def test_the_outline_counts_rounds_matches_and_byes():
    for size, options in [(2, ONCE), (7, ONCE), (8, TWICE), (9, TWICE)]:
        outline = ROBIN.outline(size, options)
        rounds = ROBIN.next_rounds(Record(make_seats(range(size))), options, 1)
        met = Counter(frozenset(pair.sides) for each in rounds for pair in each.pairs)
        assert met == Counter(list(map(frozenset, combinations(range(size), 2))) * options.cycles)
        assert (outline.rounds, outline.matches) == (len(rounds), met.total())
        assert outline.matches_each == (size - 1) * options.cycles
        assert outline.byes == sum(len(each.byes) for each in rounds)


def test_it_says_how_often_everybody_meets():
    assert (ROBIN.name(ONCE), ROBIN.name(TWICE)) == ("Round robin", "Double round robin")
    assert ROBIN.describe(ONCE) == [("Everybody plays everybody once.", {})]
    assert ROBIN.describe(TWICE) == [("Everybody plays everybody twice, with sides swapped.", {})]
