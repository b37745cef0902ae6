"""The games that a points ladder starts by itself (rules: competitions, "Ladder").

Every active player is kept at a number of running games, against somebody near in the standings
not met lately.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

E = TypeVar("E", bound=Hashable)

GAMES_EACH = 2

_REACH_OF_AN_EXCHANGE = 200
_MAX_EXCHANGED = 32


@dataclass(frozen=True, slots=True)
class Seat(Generic[E]):
    """An active player of the ladder, and how many games are running."""

    entrant: E
    running: int


def pair_ladder(
    seats: Sequence[Seat[E]], barred: Mapping[E, Collection[E]], *, games_each: int = GAMES_EACH
) -> list[tuple[E, E]]:
    """Return the games to start, so that the players have ``games_each`` running, each the better placed first.

    ``seats`` come in the order of the standings; only active players have one. ``barred`` holds whom a
    player must not meet now, because they met lately or are playing; an entry on one of both sides is
    enough. From the top down everybody gets the nearest below who still lacks games. Two who are left
    over because they must not meet each other, or one who is left over twice, take over the two sides of
    a game made before, near the first of them: one meets its one side, the other its other. Of those who then
    lack games, no two may meet.

    The same arguments give the same games. The time grows with the number of seats and bars. Raises
    ``ValueError`` when somebody has two seats.
    """
    draft = _Draft(seats, barred, games_each)
    draft.pair_downwards()
    draft.place_left_over()
    # Two whose game was broken up may lack a game still.
    draft.pair_downwards()
    return [
        (seats[upper].entrant, seats[lower].entrant)
        for upper, lowers in enumerate(draft.games)
        for lower in sorted(lowers)
    ]


class _Draft(Generic[E]):
    """The games made so far, and who lacks how many; players are indexes into the standings.

    ``games`` holds, for each player, the lower placed ones to meet.
    """

    def __init__(self, seats: Sequence[Seat[E]], barred: Mapping[E, Collection[E]], games_each: int) -> None:
        index_of = {seat.entrant: index for index, seat in enumerate(seats)}
        if len(index_of) != len(seats):
            raise ValueError("an entrant has two seats")
        self.lacking = [max(0, games_each - seat.running) for seat in seats]
        self.barred: list[set[int]] = [set() for _ in seats]
        self.games: list[list[int]] = [[] for _ in seats]
        for entrant, others in barred.items():
            if entrant in index_of:
                for other in others:
                    if other in index_of:
                        self.bar(index_of[entrant], index_of[other])

    def bar(self, one: int, other: int) -> None:
        self.barred[one].add(other)
        self.barred[other].add(one)

    def add(self, one: int, other: int) -> None:
        self.games[min(one, other)].append(max(one, other))
        self.bar(one, other)
        self.lacking[one] -= 1
        self.lacking[other] -= 1

    def can_meet(self, one: int, other: int) -> bool:
        return one != other and other not in self.barred[one]

    def exchange(self, upper: int, lower: int, one: int, other: int) -> None:
        """Break the game of ``upper`` and ``lower``, who now meet ``one`` and ``other``."""
        self.games[upper].remove(lower)
        self.barred[upper].discard(lower)
        self.barred[lower].discard(upper)
        self.lacking[upper] += 1
        self.lacking[lower] += 1
        self.add(one, upper)
        self.add(other, lower)

    def pair_downwards(self) -> None:
        total = len(self.lacking)
        following = [index if lacking else index + 1 for index, lacking in enumerate(self.lacking)]
        following.append(total)

        def find(index: int) -> int:
            """Return the first player from ``index`` on who lacks a game; remember the way for the next time."""
            found = index
            while following[found] != found:
                found = following[found]
            while index != found:
                following[index], index = found, following[index]
            return found

        for upper in range(total):
            lower = find(upper + 1)
            while self.lacking[upper] and lower < total:
                if self.can_meet(upper, lower):
                    self.add(upper, lower)
                    if not self.lacking[lower]:
                        following[lower] = lower + 1
                lower = find(lower + 1)

    def place_left_over(self) -> None:
        while self.place_two(self.left_over()):
            pass

    def left_over(self) -> list[int]:
        """Return those who lack a game, once for each game, as far as it is worth trying."""
        return [index for index, lacking in enumerate(self.lacking) for _ in range(lacking)][-_MAX_EXCHANGED:]

    def place_two(self, left_over: list[int]) -> bool:
        for one, other in combinations(left_over, 2):
            for upper, lower in self.games_near(one):
                if self.can_meet(one, upper) and self.can_meet(other, lower):
                    self.exchange(upper, lower, one, other)
                    return True
                if self.can_meet(other, upper) and self.can_meet(one, lower):
                    self.exchange(upper, lower, other, one)
                    return True
        return False

    def games_near(self, index: int) -> Iterator[tuple[int, int]]:
        """Yield the games whose better placed side is near, nearest first."""
        near = range(max(0, index - _REACH_OF_AN_EXCHANGE), min(len(self.games), index + _REACH_OF_AN_EXCHANGE))
        for upper in sorted(near, key=lambda each: abs(each - index)):
            for lower in self.games[upper]:
                yield upper, lower
