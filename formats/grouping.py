"""Groups of a stage: entrants dealt into groups of equal size, or of sizes that differ by one.

They are dealt in a snake: 1 to A, 2 to B, 3 to C, 4 to C, 5 to B, 6 to A, 7 to A and so on, so that the groups are
about equally strong.

Leagues form a pyramid of 1, 2, 4, 8 and more groups. The order of all is cut from the top: each league takes as many as
come nearest to the wanted size of its groups, and the last one takes what is left. Groups are smaller than wanted by a
third at most, and larger by one; too few for two such groups are one group. Within a league there is a snake.

Or groups form one by one, each as soon as enough are there: those who came first play first.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TypeVar

from formats.marked_texts import gettext_noop
from formats.options import InvalidOptions, OptionFault, option
from formats.promotion import LAST_PROMOTED, LAST_TO_STAY

E = TypeVar("E", bound=Hashable)

MIN_SIZE = 2
"""The fewest entrants of a group."""

MIN_LEAGUE_SIZE = 4
"""Of fewer in a group nobody would stay in a league where two go up and two down."""

MAX_GATHERED = 64
"""The most entrants that a group waits for."""


@dataclass(frozen=True, slots=True)
class GroupingOptions:
    """The number of groups of a stage, or of entrants in each: at most, about so many in leagues, or so many at once.

    The last lets a group form whenever so many are there. Leagues say who goes up and who stays in the next season.
    Raises ``InvalidOptions`` unless one of the first four is given, and for what only leagues have.
    """

    groups: int | None = option(None, gettext_noop("groups"), minimum=1, maximum=1024)
    size: int | None = option(None, gettext_noop("players in a group"), minimum=MIN_SIZE, maximum=1024)
    league_size: int | None = option(
        None, gettext_noop("or players in each group of a league pyramid"), minimum=MIN_LEAGUE_SIZE, maximum=1024
    )
    whenever: int | None = option(
        None, gettext_noop("players needed to start a group"), minimum=MIN_SIZE, maximum=MAX_GATHERED
    )
    last_promoted: int | None = option(
        None,
        gettext_noop("in leagues: last place that goes up"),
        help_text=gettext_noop("Of each group, when a season ends. Place 2 if you leave it empty."),
        minimum=0,
        maximum=1024,
    )
    last_to_stay: int | None = option(
        None,
        gettext_noop("in leagues: last place that stays"),
        help_text=gettext_noop("Players after it go down a league. Place 5 if you leave it empty."),
        minimum=1,
        maximum=1024,
    )

    def __post_init__(self) -> None:
        if [self.groups, self.size, self.league_size, self.whenever].count(None) != 3:
            choices = ["groups", "size", "league_size", "whenever"]
            raise InvalidOptions({"size": (OptionFault.NOT_A_CHOICE, {"choices": choices})})
        if self.league_size is None and (self.last_promoted, self.last_to_stay) != (None, None):
            raise InvalidOptions({"league_size": (OptionFault.TOO_SMALL, {"minimum": MIN_LEAGUE_SIZE})})
        if self.stays_to < self.promoted_to:
            raise InvalidOptions({"last_to_stay": (OptionFault.TOO_SMALL, {"minimum": self.promoted_to})})

    @property
    def promoted_to(self) -> int:
        """Return the last place of a group of a league that goes up."""
        return LAST_PROMOTED if self.last_promoted is None else self.last_promoted

    @property
    def stays_to(self) -> int:
        """Return the last place of a group of a league that does not go down."""
        return LAST_TO_STAY if self.last_to_stay is None else self.last_to_stay


def letter_of(number: int, *, in_leagues: bool = False, is_only_one: bool = False) -> str:
    """Return what a group is called among those of its stage, from 1: A to Z, then AA, AB and so on.

    In leagues: 1, then 2A and 2B, then 3A to 3D and so on, without a letter for the only group of its league.
    """
    if in_leagues:
        league = league_of(number)
        return str(league) if is_only_one or league == 1 else f"{league}{letter_of(number - groups_above(league))}"
    letters = ""
    while number:
        number, place = divmod(number - 1, len(ascii_uppercase))
        letters = ascii_uppercase[place] + letters
    return letters


def league_of(number: int) -> int:
    """Return the league of a group by its number: 1 for group 1, 2 for 2 and 3, 3 for 4 to 7 and so on."""
    return number.bit_length()


def is_only_one(number: int, groups: int) -> bool:
    """Return whether the group with this number is the only one of its league, where there are so many groups."""
    return number == groups == groups_above(league_of(number)) + 1


def groups_above(league: int) -> int:
    """Return how many groups the leagues above this one have."""
    return 2 ** (league - 1) - 1


def league_sizes(entrants: int, size: int) -> list[list[int]]:
    """Return the sizes of the groups of each league, the first league first, for groups of about so many.

    Raises ``ValueError`` for fewer entrants than a group has.
    """
    if entrants < MIN_SIZE:
        raise ValueError(f"{entrants} entrants are too few for a group")
    low = max(MIN_SIZE, size * 2 // 3)
    if entrants < 2 * low:
        return [[entrants]]
    leagues = []
    left, groups = entrants, 1
    while left:
        last = _count_last_groups(left, size, min(groups, left // low))
        taken = left if last else _take_for_league(left, groups, size)
        leagues.append(split_evenly(taken, last or groups))
        left, groups = left - taken, 2 * groups
    return leagues


def _count_last_groups(left: int, size: int, most: int) -> int | None:
    """Return how many groups the last league has, as near to the wanted size as can be; ``None`` if it is not last."""
    fewest = -(-left // (size + 1))
    return min(range(fewest, most + 1), key=lambda groups: (abs(left - size * groups), groups), default=None)


def _take_for_league(left: int, groups: int, size: int) -> int:
    """Return how many a league takes so that those who are left make groups: as near to the wanted size as can be."""
    low, high = max(MIN_SIZE, size * 2 // 3), size + 1
    fitting = [each for each in range(low * groups, high * groups + 1) if _make_groups(left - each, low, high)]
    return min(fitting, key=lambda taken: (abs(taken - size * groups), -taken))


def _make_groups(entrants: int, low: int, high: int) -> bool:
    """Return whether so many make groups of these sizes, of which there may be any number."""
    return low <= entrants <= high or entrants >= 2 * low


def group_sizes(entrants: int, options: GroupingOptions) -> list[int]:
    """Return the sizes of the groups that so many entrants make. Raises ``ValueError`` for too few."""
    if options.league_size is not None:
        return [size for league in league_sizes(entrants, options.league_size) for size in league]
    if options.whenever is not None:
        return [options.whenever] * count_groups(entrants, options)
    return split_evenly(entrants, count_groups(entrants, options))


def count_groups(entrants: int, options: GroupingOptions) -> int:
    """Return how many groups so many entrants make: as many as asked for, or the fewest that are not too large.

    Where groups form whenever enough are there, it is how many can. Raises ``ValueError`` where a group would have
    fewer than two.
    """
    if options.whenever is not None:
        groups = entrants // options.whenever
    else:
        groups = -(-entrants // options.size) if options.size is not None else options.groups or 0
    if not groups or entrants // groups < MIN_SIZE:
        raise ValueError(f"{entrants} entrants are too few for {groups} groups")
    return groups


def gather(waiting: Sequence[E], size: int) -> tuple[tuple[E, ...], ...]:
    """Return the groups of this size that those who wait make, the first of them first; the others wait on."""
    whole = len(waiting) - len(waiting) % size
    return tuple(tuple(waiting[first : first + size]) for first in range(0, whole, size))


def move_to_place(queue: Sequence[E], entrant: E, place: int) -> list[E]:
    """Return a queue in which an entrant has this place, from 1; the others keep their order.

    Raises ``ValueError`` for who is not in it, or a place that it does not have.
    """
    if not 1 <= place <= len(queue):
        raise ValueError(f"place {place} of a queue of {len(queue)}")
    moved = list(queue)
    moved.remove(entrant)
    moved.insert(place - 1, entrant)
    return moved


def join_queue(queue: Sequence[E], coming: Sequence[E], arrivals: Sequence[E]) -> list[E]:
    """Return a queue with those who come: each behind the last who arrived before them, else at its front.

    Who of the queue is not among the arrivals came before all of them.
    """
    came = {entrant: number for number, entrant in enumerate(arrivals)}
    joined = list(queue)
    for entrant in coming:
        before = [place for place, other in enumerate(joined, start=1) if came.get(other, -1) < came[entrant]]
        joined.insert(max(before, default=0), entrant)
    return joined


def split_evenly(entrants: int, groups: int) -> list[int]:
    """Return the sizes of so many groups of so many entrants."""
    return [entrants // groups + (number < entrants % groups) for number in range(groups)]


def form_groups(seeded: Sequence[E], options: GroupingOptions) -> tuple[tuple[E, ...], ...]:
    """Return the groups, each in the order in which it was filled; the entrants come in the order of their seeds.

    Raises ``ValueError`` for too few entrants or one named twice.
    """
    if len(set(seeded)) != len(seeded):
        raise ValueError("an entrant is named twice")
    if options.league_size is None:
        return tuple(_deal(seeded, count_groups(len(seeded), options)))
    formed: list[tuple[E, ...]] = []
    begin = 0
    for sizes in league_sizes(len(seeded), options.league_size):
        formed += _deal(seeded[begin : begin + sum(sizes)], len(sizes))
        begin += sum(sizes)
    return tuple(formed)


def _deal(seeded: Sequence[E], count: int) -> list[tuple[E, ...]]:
    groups: list[list[E]] = [[] for _ in range(count)]
    for number, entrant in enumerate(seeded):
        row, column = divmod(number, count)
        groups[~column if row % 2 else column].append(entrant)
    return list(map(tuple, groups))


def merge_groups(groups: Sequence[Sequence[E]], *, in_leagues: bool = False) -> tuple[E, ...]:
    """Return the entrants of groups that ``form_groups`` made in the order of the seeds that they came from."""
    if in_leagues:
        leagues = range(1, league_of(len(groups)) + 1)
        held = [groups[groups_above(league) : groups_above(league + 1)] for league in leagues]
        return tuple(entrant for league in held for entrant in merge_groups(league))
    rows = max(map(len, groups), default=0)
    order = [group if row % 2 == 0 else ~group for row in range(rows) for group in range(len(groups))]
    places = [(place // len(groups), column) for place, column in enumerate(order)]
    return tuple(groups[column][row] for row, column in places if row < len(groups[column]))
