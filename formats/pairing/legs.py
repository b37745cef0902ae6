"""The decision of a knock-out tie: legs, replays, and the higher seed (rules: competitions, "Cups")."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Generic, TypeVar

from formats.protocol import Game
from formats.scoring.tiebreaks import Result
from rules_engine.values import BySide, Ending

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
class _Leg(Generic[E]):
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
    games: Sequence[Game[E]],
    absences: Collection[Absence[E]],
    *,
    known_at: datetime,
    legs: int = 2,
    replays: int = 1,
    is_cut_short: bool = False,
) -> tuple[Decision[E], datetime]:
    """Return how a tie of two entrants stands by their games, in the order of the legs, and since when.

    ``higher`` has the better seed. It could be played from ``known_at`` on; where it is cut short, no replays begin any
    more. The moments decide, whatever the order in which anything was stored: who had won when somebody withdrew has
    won, and a forfeit that follows from the withdrawal itself changes nothing. A tie of whose legs neither side began
    any goes to nobody. While the tie is open, the moment is that of its last result. Raises ``ValueError`` for a game
    of others.
    """
    if is_cut_short:
        begun = max((game.leg for game in games), default=0) - legs
        replays = min(replays, max(0, -(-begun // REPLAY_LEGS)))
    played = _legs_of(games)
    gone: dict[E, datetime] = {}
    gone_at = min((max(each.since, known_at) for each in absences if _meets(each, known_at)), default=None)
    if gone_at is not None:
        gone = {each.entrant: each.since for each in absences if each.since <= gone_at and _meets(each, gone_at)}
        played = [leg for leg in played if leg.ended_at <= gone_at and not _follows(leg, gone)]
    results = [leg.result for leg in played]
    if len(played) >= legs and all(leg.is_unplayed for leg in played[:legs]):
        return Decision(None, Decider.NEITHER, legs), max(leg.ended_at for leg in played[:legs])
    decision = decide_tie(higher, lower, results, legs=legs, replays=replays)
    if decision.winner is None and gone_at is not None:
        return decide_tie(higher, lower, results, legs=legs, replays=replays, withdrawn=gone), gone_at
    return decision, max((leg.ended_at for leg in played[: decision.legs_due]), default=known_at)


def _meets(absence: Absence[E], moment: datetime) -> bool:
    """Return whether the absence does not end before the moment."""
    return absence.until is None or absence.until > moment


def _follows(leg: _Leg[E], gone: Mapping[E, datetime]) -> bool:
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


def _legs_of(games: Sequence[Game[E]]) -> list[_Leg[E]]:
    """Return the finished legs as far as they follow each other without a gap: a later leg waits for an earlier one."""
    legs = []
    for number, game in enumerate(games, start=1):
        if game.leg != number or game.points is None or game.goals is None or game.ended_at is None:
            break
        legs.append(_Leg(_result_of(game, game.points, game.goals), game.ended_at, _forfeits_in(game), _is_left(game)))
    return legs


def _result_of(game: Game[E], points: BySide[int], goals: BySide[int]) -> Result[E]:
    """Return the result of a leg with these points and goals: of teams all match points, and the boards won."""
    score = game.team_score
    if score is None:
        return Result(game.sides.yellow, game.sides.red, points, goals)
    return Result(game.sides.yellow, game.sides.red, score.match_points, score.goals, boards=score.boards)


def _forfeits_in(game: Game[E]) -> dict[E, datetime]:
    """Return who has forfeited a leg, or boards of it, and when they did so last."""
    forfeits: dict[E, datetime] = {}
    for each in game.boards or (game,):
        if each.forfeited_by is not None and each.ended_at is not None:
            forfeits[each.forfeited_by] = max(each.ended_at, forfeits.get(each.forfeited_by, each.ended_at))
    return forfeits


def _is_left(game: Game[E]) -> bool:
    """Return whether neither side has played a leg, at any of its boards."""
    return all(each.ending is Ending.FORFEIT and each.forfeited_by is None for each in game.boards or (game,))
