"""Elo ratings and permanent ranks (rules: competitions, "Rating games").

Everything is exact decimal arithmetic, rounded half-even to four decimals once per change, so that
replaying all matches in order gives the same numbers on every machine.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Generic, TypeVar

from rules_engine.values import BySide, Side

E = TypeVar("E", bound=Hashable)

START = Decimal("1500.0000")
FLOOR = Decimal("1000.0000")
MAX_K = 60
MIN_K = 30
KYU_AT_START = 20

_STEP = Decimal("0.0001")
_ARITHMETIC = Context(prec=28, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class RatingState:
    """A player's rating, rated games and wins so far, and the number of the permanent rank (0: 20 kyu, 1: 19 kyu)."""

    rating: Decimal = START
    games: int = 0
    wins: int = 0
    rank: int = 0

    @property
    def k(self) -> int:
        """Return how much the next game can move the rating (K): 60 at first, one less a game, at least 30."""
        return max(MIN_K, MAX_K - self.games)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one player's rating by a match."""

    before: RatingState
    after: RatingState

    @property
    def points(self) -> Decimal:
        """Return the rating points won, negative when lost, the floor considered."""
        return self.after.rating - self.before.rating


@dataclass(frozen=True, slots=True)
class RatedMatch(Generic[E]):
    """A match that counts for the ratings; nobody wins a 2-2."""

    yellow: E
    red: E
    winner: Side | None


def expected_score(rating: Decimal, opponent: Decimal) -> Decimal:
    """Return the score from 0 to 1 that Elo's formula expects against the opponent."""
    with localcontext(_ARITHMETIC):
        return 1 / (1 + Decimal(10) ** ((opponent - rating) / 400))


def rate(states: BySide[RatingState], winner: Side | None) -> BySide[Change]:
    """Return what a match does to both players: a win scores 1, 2-2 one half, a loss 0."""
    return BySide(_rate(states, Side.YELLOW, winner), _rate(states, Side.RED, winner))


def replay(matches: Iterable[RatedMatch[E]]) -> tuple[dict[E, RatingState], list[BySide[Change]]]:
    """Return everybody's state after all matches, and each match's changes; matches come in the order of their ends."""
    states: dict[E, RatingState] = {}
    changes = []
    for match in matches:
        before = BySide(states.get(match.yellow, RatingState()), states.get(match.red, RatingState()))
        change = rate(before, match.winner)
        states[match.yellow] = change.yellow.after
        states[match.red] = change.red.after
        changes.append(change)
    return states, changes


def rank_of(rating: Decimal, wins: int) -> int:
    """Return the number of the highest rank that rating and wins give.

    The n-th needs a rating of 1200 + 50 n and n (n + 1) / 2 wins. A level once reached is kept for
    ever, which is not asked here.
    """
    rank = 0
    while rating >= 1250 + 50 * rank and wins >= (rank + 1) * (rank + 2) // 2:
        rank += 1
    return rank


def name_rank(rank: int) -> str:
    """Return what a rank's number is called: 0 is ``"20 kyu"``, 19 ``"1 kyu"``, 20 ``"1 dan"``."""
    return f"{KYU_AT_START - rank} kyu" if rank < KYU_AT_START else f"{rank - KYU_AT_START + 1} dan"


def _rate(states: BySide[RatingState], side: Side, winner: Side | None) -> Change:
    before = states[side]
    score = Decimal("0.5") if winner is None else Decimal(winner is side)
    expected = expected_score(before.rating, states[side.opponent].rating)
    with localcontext(_ARITHMETIC):
        points = (before.k * (score - expected)).quantize(_STEP)
        rating = max(FLOOR, before.rating + points)
    wins = before.wins + (winner is side)
    after = RatingState(rating, before.games + 1, wins, max(before.rank, rank_of(rating, wins)))
    return Change(before, after)
