"""The challenge ladder: who may challenge whom, and what it moves (rules: competitions, "Ladder").

Positions count from 1, the top. A challenger who beats a player above is put directly above that
player; nothing else moves anybody.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import accumulate, count, permutations
from math import isqrt
from typing import Generic, TypeVar

from rules_engine.values import BySide, Side

E = TypeVar("E", bound=Hashable)

LOST_BY_ABSENCE = 10
"""Players who come back re-enter below the old position by the number of the ladder's players divided by this."""


class Obstacle(StrEnum):
    """The reasons why a player may not challenge another."""

    NOT_ON_LADDER = "not-on-ladder"
    YOURSELF = "yourself"
    PAUSED = "paused"
    OPPONENT_PAUSED = "opponent-paused"
    NOT_ABOVE = "not-above"
    OUT_OF_REACH = "out-of-reach"
    PLAYING_ALREADY = "playing-already"
    MET_LATELY = "met-lately"
    TOO_MANY_OUTGOING = "too-many-outgoing"
    TOO_MANY_INCOMING = "too-many-incoming"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason to refuse a challenge: a stable code, and by name what a sentence to the challenger needs besides."""

    obstacle: Obstacle
    parameters: Mapping[str, int | datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Challenge(Generic[E]):
    """A running game of the ladder."""

    challenger: E
    opponent: E


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a ladder: games at once as challenger and as challenged, and the pause before a rematch."""

    outgoing: int = 1
    incoming: int = 2
    pause: timedelta = timedelta(days=14)


class ChallengeLadder(Generic[E]):
    """A ladder at one moment: its order, running games, who met when, and who gets no new games.

    ``order`` names the players from the top. ``last_met`` tells when the last game of a pair (a frozenset
    of both) ended. ``paused`` holds those who lost on time and have not acted since, or are leaving: they
    keep their positions, but neither challenge nor are challenged, and are counted in nobody's reach. Raises
    ``ValueError`` when the order names somebody twice.

    Of a large ladder a part is enough: then ``positions`` says where each of the ``order`` stands. For each challenger
    who is asked about, everybody from the highest player within their reach down to them is needed. The distance in a
    refusal is right if the part has both players, and all between them who are paused.
    """

    def __init__(
        self,
        order: Sequence[E],
        *,
        positions: Iterable[int] | None = None,
        running: Iterable[Challenge[E]] = (),
        last_met: Mapping[frozenset[E], datetime] | None = None,
        paused: Collection[E] = (),
        limits: Limits | None = None,
    ) -> None:
        self.order = tuple(order)
        self.position_of = dict(zip(self.order, count(1) if positions is None else positions, strict=False))
        if len(self.position_of) != len(self.order):
            raise ValueError("somebody stands twice on the ladder")
        self.last_met = last_met or {}
        self.paused = frozenset(paused)
        self.counted = [entrant for entrant in self.order if entrant not in self.paused]
        paused_above = accumulate((entrant in self.paused for entrant in self.order), initial=0)
        self._paused_above = dict(zip(self.order, paused_above, strict=False))
        self._known_above = dict(zip(self.order, count(), strict=False))
        self.limits = limits or Limits()
        self.outgoing: Counter[E] = Counter()
        self.incoming: Counter[E] = Counter()
        self.playing: set[frozenset[E]] = set()
        for challenge in running:
            self._book(challenge)

    def opponents_of(self, challenger: E) -> Sequence[E]:
        """Return everybody within a player's reach, from the top: the next above who are counted.

        How many they are at most follows from the player's own position. Raises ``KeyError`` for a stranger.
        """
        above = self._known_above[challenger] - self._paused_above[challenger]
        return self.counted[max(0, above - reach(self.position_of[challenger])) : above]

    def reason_not(self, challenger: E, opponent: E, now: datetime) -> Refusal | None:
        """Return why the challenger may not challenge the opponent now, ``None`` if that is allowed."""
        return (
            self._check_places(challenger, opponent)
            or self._check_pair(challenger, opponent, now)
            or self._check_limits(challenger, opponent)
        )

    def start_games(self, now: datetime, *, choosing: Collection[E] = ()) -> list[Challenge[E]]:
        """Return the games that start by themselves, and book them as running.

        From the top down everybody who may challenge gets as many games as are allowed, each against the
        highest player whom they may challenge. Those who are still ``choosing`` an opponent get none.
        """
        started = []
        for challenger in self.counted:
            if challenger in choosing or self.outgoing[challenger] >= self.limits.outgoing:
                continue
            for opponent in self.opponents_of(challenger):
                if self.outgoing[challenger] >= self.limits.outgoing:
                    break
                if not self.reason_not(challenger, opponent, now):
                    challenge = Challenge(challenger, opponent)
                    self._book(challenge)
                    started.append(challenge)
        return started

    def next_start(self, choosing: Mapping[E, datetime]) -> datetime | None:
        """Return when time alone lets another game start at the earliest, ``None`` for never.

        Two may meet again then, or somebody has been ``choosing`` for long enough; until then it does not matter whom
        that player may meet again.
        """
        moments = [
            met + self.limits.pause
            for pair, met in self.last_met.items()
            if pair not in self.playing
            for challenger, opponent in permutations(pair)
            if challenger not in choosing
            and not (self._check_places(challenger, opponent) or self._check_limits(challenger, opponent))
        ]
        moments += [until for entrant, until in choosing.items() if self.outgoing[entrant] < self.limits.outgoing]
        return min(moments, default=None)

    def _book(self, challenge: Challenge[E]) -> None:
        self.outgoing[challenge.challenger] += 1
        self.incoming[challenge.opponent] += 1
        self.playing.add(frozenset((challenge.challenger, challenge.opponent)))

    def _check_places(self, challenger: E, opponent: E) -> Refusal | None:
        own, other = self.position_of.get(challenger), self.position_of.get(opponent)
        if own is None or other is None:
            return Refusal(Obstacle.NOT_ON_LADDER)
        if own == other:
            return Refusal(Obstacle.YOURSELF)
        if other > own:
            return Refusal(Obstacle.NOT_ABOVE)
        if challenger in self.paused:
            return Refusal(Obstacle.PAUSED)
        if opponent in self.paused:
            return Refusal(Obstacle.OPPONENT_PAUSED)
        distance = own - other - (self._paused_above[challenger] - self._paused_above[opponent])
        if distance > reach(own):
            return Refusal(Obstacle.OUT_OF_REACH, {"position": own, "reach": reach(own), "distance": distance})
        return None

    def _check_pair(self, challenger: E, opponent: E, now: datetime) -> Refusal | None:
        pair = frozenset((challenger, opponent))
        if pair in self.playing:
            return Refusal(Obstacle.PLAYING_ALREADY)
        met = self.last_met.get(pair)
        if met is not None and now < met + self.limits.pause:
            return Refusal(Obstacle.MET_LATELY, {"until": met + self.limits.pause})
        return None

    def _check_limits(self, challenger: E, opponent: E) -> Refusal | None:
        limits = self.limits
        if self.outgoing[challenger] >= limits.outgoing:
            return Refusal(Obstacle.TOO_MANY_OUTGOING, {"games": limits.outgoing})
        if self.incoming[opponent] >= limits.incoming:
            return Refusal(Obstacle.TOO_MANY_INCOMING, {"games": limits.incoming})
        return None


@dataclass(frozen=True, slots=True)
class Prospect:
    """The effect of one result of a game on the challenger: the positions before and after it.

    ``stops_games`` says that the challenger gets no new games then until they act again.
    """

    before: int
    position: int
    stops_games: bool = False


@dataclass(frozen=True, slots=True)
class Prospects:
    """The effects of a win, a draw, a loss and a loss on time on the challenger."""

    win: Prospect
    draw: Prospect
    loss: Prospect
    timeout: Prospect


def reach(position: int) -> int:
    """Return how many places above a player may challenge: ceil(sqrt(position)), as far as there are so many.

    Those who are paused are not among them.
    """
    return min(isqrt(position - 1) + 1, position - 1) if position > 1 else 0


def position_after(challenger: int, opponent: int) -> int:
    """Return the challenger's position after having won the game, from both positions at its end.

    Where it is another one, everybody from the opponent's position to just above the challenger's goes
    down by one.
    """
    return min(challenger, opponent)


def foresee(challenger: int, opponent: int) -> Prospects:
    """Return what each end of a game would mean to the challenger if it ended now, from both positions."""
    stays = Prospect(challenger, challenger)
    return Prospects(
        win=Prospect(challenger, position_after(challenger, opponent)),
        draw=stays,
        loss=stays,
        timeout=replace(stays, stops_games=True),
    )


def position_on_return(old: int | None, size: int) -> int:
    """Return where somebody re-enters a ladder of ``size`` others; ``old`` is ``None`` for the bottom."""
    return size + 1 if old is None else min(old - (-size // LOST_BY_ABSENCE), size + 1)


def opponent_beaten(sides: BySide[E], points: BySide[int], challenger: E) -> E | None:
    """Return whom a challenger has beaten in a game of these sides and points, ``None`` without a victory."""
    side = Side.YELLOW if challenger == sides.yellow else Side.RED
    return sides[side.opponent] if points[side] > points[side.opponent] else None


Moves = list[tuple[E, int]]
"""The entrants who came to other positions, with these positions."""


class Positions(Generic[E]):
    """The order of a ladder, to which one thing happens after another.

    Each method returns who came to another position by it, from the top.
    """

    def __init__(self, order: Iterable[E] = ()) -> None:
        self.order = list(order)
        self.position_of = {entrant: position for position, entrant in enumerate(self.order, start=1)}

    def re_enter(self, returner: E, old: int | None) -> Moves[E]:
        """Put somebody who has come back a tenth of the ladder below the old position, at most.

        The tenth is rounded up. Without an old position the returner enters at the bottom, as a newcomer. Raises
        ``ValueError`` for one who is on the ladder already.
        """
        if returner in self.position_of:
            raise ValueError(f"{returner!r} is on the ladder already")
        position = position_on_return(old, len(self.order))
        self.order.insert(position - 1, returner)
        return self._renumber(position)

    def leave(self, leavers: Iterable[E]) -> Moves[E]:
        """Take those off who leave together: everybody below goes up. Raises ``KeyError`` for a stranger."""
        left = sorted((self.position_of.pop(leaver) for leaver in leavers), reverse=True)
        for position in left:
            del self.order[position - 1]
        return self._renumber(left[-1]) if left else []

    def climb(self, challenger: E, opponent: E) -> Moves[E]:
        """Put a challenger who has won directly above the opponent, if not above already.

        Nothing moves when one of both is not on the ladder any more.
        """
        own, other = self.position_of.get(challenger), self.position_of.get(opponent)
        if own is None or other is None:
            return []
        new = position_after(own, other)
        if new == own:
            return []
        self.order.insert(new - 1, self.order.pop(own - 1))
        return self._renumber(new, own)

    def _renumber(self, first: int, last: int | None = None) -> Moves[E]:
        moved = list(zip(self.order[first - 1 : last], count(first)))
        self.position_of.update(moved)
        return moved
