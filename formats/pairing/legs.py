"""The decision of a knock-out tie: legs, replays, and the higher seed (rules: competitions, "Cups")."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Generic, TypeVar

from formats.tiebreaks import Result
from rules_engine.values import BySide

E = TypeVar("E", bound=Hashable)

REPLAY_LEGS = 2


class Decider(StrEnum):
    """The way in which a tie was decided.

    ``NEITHER``: nobody has won it, as neither side began. ``BYE``: an entrant had nobody to meet.
    ``NOT_PLAYED``: nobody came to it, or nothing called for it.
    """

    POINTS = "points"
    BOARDS = "boards"
    GOALS = "goals"
    REPLAY_POINTS = "replay-points"
    REPLAY_GOALS = "replay-goals"
    WITHDRAWAL = "withdrawal"
    SEED = "seed"
    NEITHER = "neither"
    BYE = "bye"
    NOT_PLAYED = "not-played"


_OF_LEGS = (Decider.POINTS, Decider.BOARDS, Decider.GOALS)
_OF_REPLAYS = (Decider.REPLAY_POINTS, Decider.BOARDS, Decider.REPLAY_GOALS)


@dataclass(frozen=True, slots=True)
class Decision(Generic[E]):
    """The state of a tie: who goes on, nobody where neither side began, and why; ``None`` for both while it is open.

    ``legs_due`` is how many legs the tie has needed so far, replays included: whatever of them has
    not been started is to be started now.
    """

    winner: E | None
    decided_by: Decider | None
    legs_due: int


@dataclass(frozen=True, slots=True)
class Leg(Generic[E]):
    """A finished leg: its result, when it ended, and who forfeited it, if one did; ``is_unplayed`` if both did.

    ``forfeits`` are the entrants who have forfeited it, or a board of it, and when they did so last.
    """

    result: Result[E]
    ended_at: datetime
    forfeits: Mapping[E, datetime] = field(default_factory=dict)
    is_unplayed: bool = False


@dataclass(frozen=True, slots=True)
class Absence(Generic[E]):
    """Somebody had withdrawn; ``until`` is when somebody else took the place over."""

    entrant: E
    since: datetime
    until: datetime | None = None


def sides_of_leg(first: E, second: E, leg: int) -> BySide[E]:
    """Return who plays which side in a leg, counted from 1: ``first`` has Yellow in the odd ones."""
    return BySide(first, second) if leg % 2 else BySide(second, first)


def decide_tie(
    higher: E,
    lower: E,
    results: Sequence[Result[E]],
    *,
    legs: int = 2,
    replays: int = 1,
    withdrawn: Collection[E] = (),
) -> Decision[E]:
    """Return who of the higher and the lower seed goes on, or how many legs have to be played first.

    ``results`` are the finished legs, in the order of the legs. First the legs count together: more
    match points win, then more boards won, then more goals. Level, a replay pair counts in the same way for itself,
    as often as ``replays`` allows; then the higher seed goes on. While a tie is open, an entrant who has
    withdrawn has lost it; if both have, nothing more is played, and the higher seed goes on.

    Raises ``ValueError`` for a result between others.
    """
    if any({result.yellow, result.red} != {higher, lower} for result in results):
        raise ValueError(f"a result is not one of the tie {higher!r} - {lower!r}")
    start = 0
    for stage in range(replays + 1):
        end = legs + stage * REPLAY_LEGS
        played = results[start:end]
        if len(played) < end - start:
            return _decide_without_play(higher, lower, withdrawn, end) or Decision(None, None, end)
        deciders = _OF_REPLAYS if stage else _OF_LEGS
        for decider, lead in zip(deciders, _leads(higher, played), strict=True):
            if lead:
                return Decision(higher if lead > 0 else lower, decider, end)
        start = end
    return _decide_without_play(higher, lower, withdrawn, start) or Decision(higher, Decider.SEED, start)


def decide_in_time(
    higher: E,
    lower: E,
    legs: Sequence[Leg[E]],
    absences: Collection[Absence[E]],
    *,
    known_at: datetime,
    legs_each: int = 2,
    replays: int = 1,
) -> tuple[Decision[E], datetime]:
    """Return how a tie stands that could be played from ``known_at`` on, and when it was decided.

    The moments decide, whatever the order in which anything was stored: who had won when somebody withdrew has won,
    and a forfeit that follows from the withdrawal itself changes nothing. A tie of whose legs neither side began any
    goes to nobody. While the tie is open, the moment is that of its last result. Raises ``ValueError`` for a result
    between others.
    """
    gone: dict[E, datetime] = {}
    gone_at = min((max(each.since, known_at) for each in absences if _meets(each, known_at)), default=None)
    if gone_at is not None:
        gone = {each.entrant: each.since for each in absences if each.since <= gone_at and _meets(each, gone_at)}
        legs = [leg for leg in legs if leg.ended_at <= gone_at and not _follows(leg, gone)]
    results = [leg.result for leg in legs]
    if len(legs) >= legs_each and all(leg.is_unplayed for leg in legs[:legs_each]):
        return Decision(None, Decider.NEITHER, legs_each), max(leg.ended_at for leg in legs[:legs_each])
    decision = decide_tie(higher, lower, results, legs=legs_each, replays=replays)
    if decision.winner is None and gone_at is not None:
        return decide_tie(higher, lower, results, legs=legs_each, replays=replays, withdrawn=gone), gone_at
    return decision, max((leg.ended_at for leg in legs[: decision.legs_due]), default=known_at)


def _meets(absence: Absence[E], moment: datetime) -> bool:
    """Return whether the absence does not end before the moment."""
    return absence.until is None or absence.until > moment


def _follows(leg: Leg[E], gone: Mapping[E, datetime]) -> bool:
    """Return whether a leg was forfeited by the withdrawal itself: matches end at whole milliseconds."""
    return any(at > gone[each] - timedelta(milliseconds=1) for each, at in leg.forfeits.items() if each in gone)


def _leads(higher: E, played: Sequence[Result[E]]) -> tuple[int, int, int]:
    """Return by how many match points, boards won and goals the higher seed is ahead."""
    points = boards = goals = 0
    for result in played:
        sign = 1 if result.yellow == higher else -1
        points += sign * (result.points.yellow - result.points.red)
        boards += sign * (result.boards.yellow - result.boards.red)
        goals += sign * (result.goals.yellow - result.goals.red)
    return points, boards, goals


def _decide_without_play(higher: E, lower: E, withdrawn: Collection[E], legs_due: int) -> Decision[E] | None:
    if higher in withdrawn and lower in withdrawn:
        return Decision(higher, Decider.SEED, legs_due)
    if higher in withdrawn:
        return Decision(lower, Decider.WITHDRAWAL, legs_due)
    if lower in withdrawn:
        return Decision(higher, Decider.WITHDRAWAL, legs_due)
    return None
