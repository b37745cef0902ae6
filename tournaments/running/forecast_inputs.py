"""What a forecast is made from: played and open matches, and what is ahead."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeVar

E = TypeVar("E", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PlayedMatch(Generic[E]):
    """A match that is over: who played it, how long it lasted, and how many moves it had."""

    entrants: tuple[E, E]
    lasted: timedelta
    moves: int


@dataclass(frozen=True, slots=True)
class OpenMatch(Generic[E]):
    """A match that goes on, or begins now: for how long, with how many moves so far.

    It lasts no longer than ``left``: the time on both clocks, and what turns add to it. ``key`` names it.
    """

    key: int
    entrants: tuple[E, E]
    lasted: timedelta
    moves: int
    left: timedelta | None = None


@dataclass(frozen=True, slots=True)
class RoundAhead(Generic[E]):
    """A round that is not over: its open matches, and how many begin when the round before is over.

    It ends at ``ends_at``, or ``length`` after its beginning, at the latest, if it has such an end.
    """

    number: int
    open: tuple[OpenMatch[E], ...]
    to_come: int = 0
    ends_at: datetime | None = None
    length: timedelta | None = None


@dataclass(frozen=True, slots=True)
class StageAhead:
    """A stage to come: how many rounds follow each other, and how many matches each of them has."""

    rounds: int
    matches: int
    length: timedelta | None = None


@dataclass(frozen=True, slots=True)
class GroupOfLevel(Generic[E]):
    """A group of a level that plays, with the share of each of its matches that those in it have won so far, added."""

    level: int
    won: Mapping[E, float]


@dataclass(frozen=True, slots=True)
class LevelsAhead(Generic[E]):
    """The levels in which those who go on from groups play in groups again, one after the other up to the ``last``.

    The ``groups`` play now; ``waiting`` are those who wait at a level, and ``placed`` those who have had a place at one
    already, of which nobody gets a second above the first level. Of each group the ``first`` go on, or all who
    win more than a share ``above`` of what they play. With ``gathers`` a group begins whenever so many wait; otherwise
    a level, of which the groups have the sizes that ``split`` says, begins when the one before has ended, and not
    before what ``begins`` says of when that began, which the last one did at ``begun``. A group of so many has as many
    rounds and matches as ``shape`` says, all ``at_once`` or round after round, none longer than ``length``.
    """

    groups: tuple[GroupOfLevel[E], ...]
    waiting: Mapping[int, Sequence[E]]
    last: int
    shape: Callable[[int], tuple[int, int]]
    split: Callable[[int], Sequence[int]]
    first: int
    above: float | None = None
    gathers: int | None = None
    begins: Callable[[datetime], datetime] | None = None
    begun: datetime | None = None
    at_once: bool = True
    length: timedelta | None = None
    placed: Mapping[int, Collection[E]] = field(default_factory=dict)

    @property
    def comes_to_something(self) -> bool:
        """Return whether a group plays, or one will without anybody else."""
        return bool(self.groups) or (self.gathers is None and any(len(seats) > 1 for seats in self.waiting.values()))

    @property
    def matches(self) -> int:
        """Return about how many matches a level has that everybody plays who is there now."""
        entrants = sum(len(group.won) for group in self.groups) + sum(map(len, self.waiting.values()))
        size = self.gathers or max(self.split(entrants), default=1)
        return entrants * self.shape(size)[1] // size if size > 1 else 0


@dataclass(frozen=True, slots=True)
class Known(Generic[E]):
    """The known paces: matches of the competition, and of others at this game.

    ``lengths`` are the moves of finished matches of the game, ``paces`` the seconds a move of those with this clock.
    """

    played: Sequence[PlayedMatch[E]] = ()
    lengths: Sequence[int] = ()
    paces: Sequence[float] = ()
