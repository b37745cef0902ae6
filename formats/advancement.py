"""The entrants who go on from the groups of a stage to the next one, and their seeds.

The first of all groups are seeded before the second, these before the third and so on, so that byes go to the best.
Among those of one rank the seeds are given so that in a bracket with standard seeds nobody meets a group-mate before
the round in which it cannot be avoided: where *m* of a group go on, the bracket is cut into at least *m* equal parts,
and each of them is in another one. The tiers of ranks and the parts are the two sides of a graph whose edges are
seeds; colouring its edges gives each group one seed of every tier, all in different parts (König's theorem says that
as many colours as groups are enough).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Generic, TypeVar

from formats.marked_texts import gettext_noop
from formats.options import InvalidOptions, OptionFault, option
from formats.pairing.elimination import count_rounds, seed_lines
from formats.pairing.seeding import draw_lot
from formats.scoring.standings import order
from formats.scoring.tiebreaks import Ledger, Sums

E = TypeVar("E", bound=Hashable)

MAX_LEVELS = 99
"""More levels than any number of players can come to, where fewer go on from each group than play in it."""

CROSSED, SNAKE, BY_RATING, BY_DRAW = "crossed", "snake", "rating", "draw"
SEEDINGS = (
    (CROSSED, gettext_noop("crossed: A1–B2, B1–A2")),
    (SNAKE, gettext_noop("in a snake through the groups")),
    (BY_RATING, gettext_noop("by rating")),
    (BY_DRAW, gettext_noop("by draw")),
)

AT_ONCE, NEXT_MONTH = "at-once", "next-month"
BEGINS = (
    (AT_ONCE, gettext_noop("as soon as this one has ended")),
    (
        NEXT_MONTH,
        gettext_noop(
            "in the next month, on the day of the month on which the competition started, or when this stage has "
            "ended if that is later"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class AdvanceRule:
    """The entrants who go on: the ``first`` of each group and the ``best`` of the next rank, or all above a percentage.

    ``above_percent`` is that share of the possible points in the matches that counted; it stands alone. So do
    ``play_offs``, the places of each group of a league for which there are some (``formats.play_offs``).
    ``seeding`` says in which order those of the same rank are seeded, as far as group-mates stay apart. With
    ``levels`` the stage is played again by those who go on, and so on: at most so many times. ``begins`` says when the
    next stage does. Raises ``InvalidOptions``.
    """

    first: int = option(2, gettext_noop("go on from each group"), minimum=0, maximum=64)
    best: int = option(0, gettext_noop("best players in the next place who also go on"), minimum=0, maximum=1024)
    above_percent: int | None = option(
        None, gettext_noop("or everybody with more than this percentage of the possible points"), minimum=0, maximum=99
    )
    seeding: str = option(CROSSED, gettext_noop("seeds in the next stage"), choices=SEEDINGS)
    levels: int | None = option(
        None, gettext_noop("maximum number of levels, each played like this one"), minimum=2, maximum=MAX_LEVELS
    )
    begins: str = option(AT_ONCE, gettext_noop("start of the next stage"), choices=BEGINS)
    play_offs: int | None = option(
        None,
        gettext_noop("in leagues: places of each group decided by play-offs"),
        help_text=gettext_noop(
            "The last players of a group who stay defend their league against the first of the groups below who do "
            "not go up. Leave it empty for no play-offs."
        ),
        minimum=1,
        maximum=512,
    )

    def __post_init__(self) -> None:
        if self.above_percent is None and self.play_offs is None:
            if not self.first:
                raise InvalidOptions({"first": (OptionFault.TOO_SMALL, {"minimum": 1})})
        elif faults := [name for name, number in (("first", self.first), ("best", self.best)) if number]:
            raise InvalidOptions({name: (OptionFault.TOO_LARGE, {"maximum": 0}) for name in faults})
        elif self.play_offs is not None and (self.above_percent is not None or self.levels is not None):
            raise InvalidOptions({"play_offs": (OptionFault.TOO_LARGE, {"maximum": 0})})


@dataclass(frozen=True, slots=True)
class GroupRank:
    """The origin of somebody who goes on: the group, from 1, and the rank in it, from 1.

    The group of the best of a rank is ``None`` as long as the results are not there.
    """

    group: int | None
    rank: int


@dataclass(frozen=True, slots=True)
class Qualifier(Generic[E]):
    """Somebody who goes on, and where they come from."""

    entrant: E
    source: GroupRank


def plan_seeds(rule: AdvanceRule, sizes: Sequence[int], draw_seed: int = 0) -> tuple[GroupRank, ...] | None:
    """Return who will have which seed, the first first, from the sizes of the groups alone.

    ``None`` where only the results tell, by ratings or by a share of the points, and of play-offs.
    """
    if rule.above_percent is not None or rule.play_offs is not None or rule.seeding == BY_RATING:
        return None
    tiers = _tiers_of([min(rule.first, size) for size in sizes])
    best = min(rule.best, sum(size > rule.first for size in sizes))
    seeded = _seed(tiers, best, _preference(rule, len(sizes), draw_seed))
    ranks = [GroupRank(group, rank) for rank, tier in enumerate(seeded, start=1) for group in tier]
    return (*ranks, *[GroupRank(None, rule.first + 1)] * best)


def find_qualifiers(
    rule: AdvanceRule, tables: Sequence[Sequence[E]], ledger: Ledger[E], tiebreaks: Sequence[str]
) -> tuple[Qualifier[E], ...]:
    """Return who goes on, the first of every group first, from the groups' tables, each with its first entrant first.

    ``ledger`` holds the results of all groups. The best of the next rank are those with most points per match, then by
    the tie-breaks of the tables. Raises what ``standings.order`` raises.
    """
    if rule.above_percent is not None:
        tables = [_those_above(rule.above_percent, table, ledger) for table in tables]
        going_on = [len(table) for table in tables]
    else:
        going_on = [min(rule.first, len(table)) for table in tables]
    ranks = [GroupRank(group, rank) for rank, tier in enumerate(_tiers_of(going_on), start=1) for group in tier]
    qualifiers = [Qualifier(tables[(source.group or 0) - 1][source.rank - 1], source) for source in ranks]
    if rule.best:
        next_of = {table[rule.first]: group for group, table in enumerate(tables, start=1) if len(table) > rule.first}
        compared = order(next_of, ledger, ["points-per-match", *tiebreaks])[: rule.best]
        qualifiers += [Qualifier(row.entrant, GroupRank(next_of[row.entrant], rule.first + 1)) for row in compared]
    return tuple(qualifiers)


def list_arrivals(ends: Iterable[tuple[datetime, int, Sequence[E]]]) -> list[E]:
    """Return who comes to the next level, the first first, from when each group ended, its number, and who goes on.

    A player who has a place there already takes no other one.
    """
    in_order = sorted(ends, key=lambda end: end[:2])
    return list(dict.fromkeys(entrant for _ended_at, _number, going_on in in_order for entrant in going_on))


def find_first(tables: Sequence[Sequence[E]], ledger: Ledger[E], tiebreaks: Sequence[str]) -> E | None:
    """Return the best of those who are first in a group: by points per match, then by the tie-breaks of the tables.

    ``ledger`` holds the results of all groups. Raises what ``standings.order`` raises.
    """
    firsts = [table[0] for table in tables if table]
    return next((row.entrant for row in order(firsts, ledger, ["points-per-match", *tiebreaks])), None)


def seed_qualifiers(
    rule: AdvanceRule,
    qualifiers: Sequence[Qualifier[E]],
    groups: int,
    *,
    ratings: Mapping[E, Decimal] | None = None,
    draw_seed: int = 0,
) -> tuple[Qualifier[E], ...]:
    """Return those who go on in the order of their seeds; where it was planned, as ``plan_seeds`` says.

    Raises ``KeyError`` for somebody without a rating where ratings decide.
    """
    found = {(each.source.group or 0, each.source.rank): each for each in qualifiers}
    ranks = max((rank for _group, rank in found), default=0)
    tiers = [[group for group in range(1, groups + 1) if (group, rank) in found] for rank in range(1, ranks + 1)]
    best_of: list[int] = []
    if rule.best and ranks == rule.first + 1:
        tiers, best_of = tiers[:-1], [each.source.group or 0 for each in qualifiers if each.source.rank == ranks]
    prefer = _preference(rule, groups, draw_seed)
    if rule.seeding == BY_RATING:
        rated = {source: (ratings or {})[each.entrant] for source, each in found.items()}
        prefer = _by_rating(rated, _preference(AdvanceRule(seeding=BY_DRAW), groups, draw_seed))
    seeded = _seed(tiers, len(best_of), prefer)
    if best_of:
        seeded.append(_place_late(seeded, best_of, _Bracket.of_size(len(qualifiers)), ranks))
    return tuple(found[group, rank] for rank, tier in enumerate(seeded, start=1) for group in tier)


_Preference = Callable[[int, Sequence[int]], list[int]]
"""From a tier, from 0, and its groups: in which order they would be seeded if they had not to be kept apart."""


def _preference(rule: AdvanceRule, groups: int, draw_seed: int) -> _Preference:
    def prefer(tier: int, members: Sequence[int]) -> list[int]:
        if rule.seeding == BY_DRAW:
            return sorted(members, key=lambda group: draw_lot(draw_seed, (tier, group)))
        if tier % 2 == 0:
            return sorted(members)
        if rule.seeding == SNAKE:
            return sorted(members, reverse=True)
        return sorted(members, key=lambda group: _partner_of(group, groups), reverse=True)

    return prefer


def _by_rating(rated: Mapping[tuple[int, int], Decimal], by_lot: _Preference) -> _Preference:
    return lambda tier, members: sorted(by_lot(tier, members), key=lambda group: rated[group, tier + 1], reverse=True)


def _partner_of(group: int, groups: int) -> int:
    """Return with which group this one is crossed: A with B, C with D; one that is left over with itself."""
    partner = group + 1 if group % 2 else group - 1
    return partner if partner <= groups else group


def _tiers_of(going_on: Sequence[int]) -> list[list[int]]:
    """Return the groups, from 1, from which somebody of each rank goes on."""
    ranks = range(1, max(going_on, default=0) + 1)
    return [[group for group, count in enumerate(going_on, start=1) if count >= rank] for rank in ranks]


def _those_above(percent: int, table: Sequence[E], ledger: Ledger[E]) -> list[E]:
    """Return who of a table has more than this share of the points that they could have had, in its order."""
    most = ledger.point_table.maximum
    sums = {entrant: ledger.sums.get(entrant, Sums()) for entrant in table}
    return [entrant for entrant, own in sums.items() if own.points * 100 > percent * most * own.rounds]


@dataclass(frozen=True, slots=True)
class _Bracket:
    """A bracket with standard seeds, cut into equal parts."""

    lines: Mapping[int, int]
    rounds: int

    @classmethod
    def of_size(cls, size: int) -> _Bracket:
        rounds = count_rounds(max(size, 1))
        return cls({seed: line for line, seed in enumerate(seed_lines(rounds))}, rounds)

    def part_of(self, seed: int, depth: int) -> int:
        """Return in which of 2**depth parts a seed is."""
        return self.lines[seed] >> max(0, self.rounds - depth)


def _seed(tiers: Sequence[Sequence[int]], more: int, prefer: _Preference) -> list[list[int]]:
    """Return the groups of every tier in the order of their seeds; ``more`` are seeded after them.

    Tiers of all groups are coloured; where groups differ in how many go on, the later tiers are placed one by one.
    """
    bracket = _Bracket.of_size(sum(map(len, tiers)) + more)
    whole = [tier for tier in tiers if len(tier) == len(tiers[0])]
    seeded = _seed_whole(bracket, whole, len(tiers) + bool(more), prefer)
    for tier in range(len(whole), len(tiers)):
        seeded.append(_place_late(seeded, prefer(tier, tiers[tier]), bracket, len(tiers) + bool(more)))
    return seeded


def _seed_whole(bracket: _Bracket, tiers: Sequence[Sequence[int]], most: int, prefer: _Preference) -> list[list[int]]:
    if not tiers:
        return []
    depth, count = (most - 1).bit_length(), len(tiers[0])
    parts = [
        [bracket.part_of(tier * count + number, depth) for number in range(1, count + 1)] for tier in range(len(tiers))
    ]
    first = prefer(0, tiers[0])
    waiting: dict[int, list[int]] = defaultdict(list)
    for group, part in zip(first, parts[0], strict=True):
        waiting[part].append(group)
    part_of = {waiting[colour[0]].pop(0): colour for colour in _colour(parts)}
    seeded = [first]
    for tier in range(1, len(tiers)):
        queues: dict[int, list[int]] = defaultdict(list)
        for group in prefer(tier, tiers[tier]):
            queues[part_of[group][tier]].append(group)
        seeded.append([queues[part].pop(0) for part in parts[tier]])
    return seeded


def _colour(parts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the edges between tiers and parts, one for each seed, in colours: each has one part of every tier.

    No colour has a part twice. There are as many colours as each tier has seeds, and no part may have more seeds.
    """
    count = len(parts[0])
    tiers: list[dict[int, int]] = [{} for _ in parts]
    by_part: dict[int, dict[int, int]] = defaultdict(dict)
    for tier, seeds in enumerate(parts):
        for part in seeds:
            free_in_tier = next(colour for colour in range(count) if colour not in tiers[tier])
            free_in_part = next(colour for colour in range(count) if colour not in by_part[part])
            if free_in_tier in by_part[part]:
                _swap_colours(tiers, by_part, part, (free_in_tier, free_in_part))
            tiers[tier][free_in_tier] = part
            by_part[part][free_in_tier] = tier
    return [[tier[colour] for tier in tiers] for colour in range(count)]


def _swap_colours(
    tiers: Sequence[dict[int, int]], by_part: Mapping[int, dict[int, int]], part: int, colours: tuple[int, int]
) -> None:
    """Swap two colours along the path of their edges that begins at a part with the first, which has not the second."""
    first, second = colours
    path: list[tuple[int, int, int]] = []
    while first in by_part[part]:
        tier = by_part[part][first]
        path.append((tier, part, first))
        if second not in tiers[tier]:
            break
        part = tiers[tier][second]
        path.append((tier, part, second))
    for tier, at, colour in path:
        del tiers[tier][colour], by_part[at][colour]
    for tier, at, colour in path:
        other = second if colour == first else first
        tiers[tier][other], by_part[at][other] = at, tier


def _place_late(seeded: Sequence[Sequence[int]], members: Sequence[int], bracket: _Bracket, most: int) -> list[int]:
    """Return these groups in the order of the seeds after those that are given, as far from their mates as can be.

    The others keep their seeds, so it cannot always be as far as if nobody had one. ``most`` of a group go on.
    """
    seeds = [sum(map(len, seeded)) + number for number in range(1, len(members) + 1)]
    numbered = list(enumerate((group for tier in seeded for group in tier), start=1))
    for depth in range(min((most - 1).bit_length(), bracket.rounds), bracket.rounds + 1):
        taken = {(group, bracket.part_of(seed, depth)) for seed, group in numbered}
        free = {
            group: [seed for seed in seeds if (group, bracket.part_of(seed, depth)) not in taken] for group in members
        }
        if found := _match(free):
            return [found[seed] for seed in seeds]
    raise AssertionError("every line of a bracket is a part of its own in the end")


def _match(free: Mapping[int, Sequence[int]]) -> dict[int, int] | None:
    """Return a group for each seed, each one of those that are free for it; ``None`` if there is no such way."""
    found: dict[int, int] = {}

    def place(group: int, tried: set[int]) -> bool:
        for seed in free[group]:
            if seed not in tried:
                tried.add(seed)
                if seed not in found or place(found[seed], tried):
                    found[seed] = group
                    return True
        return False

    return found if all(place(group, set()) for group in free) else None
