"""Brackets played to their end, as tests need them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from formats.protocol import FromSeed, Game, Outcome, Record, Seat, TieKey
from formats.ties import ResolvedTie, resolve_ties
from rules_engine.values import BySide

BEGAN = datetime(2026, 11, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)

Choose = Callable[[int, int], int]


def make_record(size: int, **about: Any) -> Record[int]:
    """Return a group that has begun, of entrants who are called by their seeds."""
    return Record(tuple(Seat(seed, seed, lot=seed) for seed in range(1, size + 1)), began_at=BEGAN, **about)


def resolve(format_: Any, options: Any, record: Record[Any]) -> Mapping[TieKey, ResolvedTie[Any]]:
    """Return how the ties stand, by their keys."""
    ties = format_.draw_ties(len(record.seats), options)
    resolved = resolve_ties(ties, record, legs=options.legs, replays=options.replays)
    return {tie.drawn.key: tie for tie in resolved}


def win(tie: ResolvedTie[Any], winner: Any, ended_at: datetime) -> list[Game[Any]]:
    """Return the legs that are due, all won by one."""
    points = {True: BySide(5, 0), False: BySide(0, 5)}
    goals = {True: BySide(1, 0), False: BySide(0, 1)}
    key = tie.drawn.key
    return [
        Game(
            key.round,
            due.sides,
            key,
            due.leg,
            points=points[due.sides.yellow == winner],
            goals=goals[due.sides.yellow == winner],
            ended_at=ended_at,
        )
        for due in tie.legs_due
    ]


def play_on(format_: Any, options: Any, record: Record[Any], choose: Choose) -> Record[Any]:
    """Return the record with every tie that can be played now won by whom ``choose`` names."""
    ended_at = BEGAN + HOUR * (1 + len(record.games))
    open_ties = [tie for tie in resolve(format_, options, record).values() if tie.legs_due]
    games = [game for tie in open_ties for game in win(tie, choose(tie.first, tie.second), ended_at)]
    return replace(record, games=(*record.games, *games))


def play(format_: Any, options: Any, size: int, choose: Choose) -> Record[int]:
    """Return a group that has been played to its end, each tie won by whom ``choose`` names."""
    record = make_record(size)
    while not format_.is_over(record, options):
        after = play_on(format_, options, record, choose)
        assert len(after.games) > len(record.games), "the bracket has stalled"
        record = after
    return record


def walk(ties: Any, choose: Choose) -> dict[TieKey, tuple[int, int]]:
    """Return the winner and the loser of every tie that is played, found from the sources alone."""
    ends: dict[TieKey, tuple[int, int]] = {}
    for tie in ties:
        pair = []
        for source in (tie.first, tie.second):
            if isinstance(source, FromSeed):
                pair.append(source.seed)
            else:
                pair.append(ends[source.tie][source.outcome is Outcome.LOSER])
        if tie.only_if_lost_by is not None and ends[tie.only_if_lost_by.tie][0] != pair[0]:
            continue
        winner = choose(*pair)
        ends[tie.key] = (winner, sum(pair) - winner)
    return ends
