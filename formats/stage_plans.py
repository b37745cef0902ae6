"""The number of entrants of each stage, the sizes of its groups, and what that comes to, before any draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions, group_sizes
from formats.play_offs import list_play_offs
from formats.protocol import Format

MAX_PLANNED = 4096
"""The most entrants among which a number is looked for with which all stages can be played."""

_NUMBERS = range(2, MAX_PLANNED + 1)


class PlannedStage(Protocol):
    """The facts about a stage before it is played."""

    @property
    def format_spec(self) -> Format:
        """Return the format in which it is played."""

    @property
    def chosen_options(self) -> Any:
        """Return the options, as the format's dataclass."""

    @property
    def grouping_options(self) -> GroupingOptions | None:
        """Return how its groups form, ``None`` for one group."""

    @property
    def advance_rule(self) -> AdvanceRule | None:
        """Return who goes on to the next stage, ``None`` where there is none."""


class PlanFault(StrEnum):
    """The ways in which a stage cannot be played by those who come to it."""

    TOO_FEW_FOR_GROUPS = "too-few-for-groups"
    GROUP_TOO_SMALL = "group-too-small"
    GROUP_TOO_LARGE = "group-too-large"


class ImpossibleStage(ValueError):
    """A stage, by its number from 1, that cannot be played by so many entrants, in groups of these sizes if any."""

    def __init__(self, number: int, fault: PlanFault, entrants: int, sizes: Sequence[int] = ()) -> None:
        super().__init__(f"stage {number} with {entrants} entrants: {fault}")
        self.number, self.fault, self.entrants, self.sizes = number, fault, entrants, tuple(sizes)


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The number of entrants of a stage, the sizes of its groups, and how many go on; at most, where results tell.

    Nobody plays the play-offs of a single league.
    """

    entrants: int
    sizes: tuple[int, ...]
    going_on: int


@dataclass(frozen=True, slots=True)
class StageOutline:
    """The extent of a stage: the rounds of its longest group and the matches of all; ``None`` without an end."""

    rounds: int | None
    matches: int | None


def plan_stages(stages: Sequence[PlannedStage], entrants: int) -> tuple[StagePlan, ...]:
    """Return how so many entrants go through the stages. Raises ``ImpossibleStage`` for the first that cannot be."""
    return _plan([_Shape.of(stage) for stage in stages], entrants)


def plan_levels(stage: PlannedStage, plan: StagePlan) -> tuple[StagePlan, ...]:
    """Return the plans of all levels of a stage, the first by ``plan``; it alone if it is played once.

    Where a share of the points decides, as many go on as can be with matches that give no more points than a win.
    """
    shape = _Shape.of(stage)
    rule, plans = shape.rule, [plan]
    if rule is None or rule.levels is None:
        return (plan,)
    while len(plans) < rule.levels:
        entrants = plans[-1].going_on
        if rule.above_percent is not None:
            entrants = sum(_most_above(rule.above_percent, size) for size in plans[-1].sizes)
        try:
            sizes = _sizes_of(1, shape, entrants)
        except ImpossibleStage:
            break
        plans.append(StagePlan(entrants, sizes, _count_going_on(rule, sizes)))
    return tuple(plans)


def fewest_entrants(stages: Sequence[PlannedStage]) -> int | None:
    """Return with how many entrants at least all stages can be played, ``None`` for none up to ``MAX_PLANNED``."""
    shapes = [_Shape.of(stage) for stage in stages]
    return next((entrants for entrants in _NUMBERS if _find_fault(shapes, entrants) is None), None)


def missing_entrants(stages: Sequence[PlannedStage], entrants: int) -> int | None:
    """Return how many more have to enter until all stages can be played: 0 if they can, ``None`` if no more would help.

    Stages may be playable by some number, and not by one more.
    """
    shapes = [_Shape.of(stage) for stage in stages]
    numbers = range(entrants, MAX_PLANNED + 1)
    return next((number - entrants for number in numbers if _find_fault(shapes, number) is None), None)


def find_impossible_stage(stages: Sequence[PlannedStage], entrants: int | None) -> ImpossibleStage | None:
    """Return the stage that cannot be played by so many entrants, or by any number of them that gets no further.

    ``entrants`` is ``None`` where any number can enter. Returns ``None`` where all stages can be played.
    """
    shapes = [_Shape.of(stage) for stage in stages]
    if entrants is not None:
        return _find_fault(shapes, entrants)
    furthest = None
    for number in _NUMBERS:
        fault = _find_fault(shapes, number)
        if fault is None:
            return None
        if furthest is None or fault.number > furthest.number:
            furthest = fault
    return furthest


def outline_stage(stage: PlannedStage, plan: StagePlan) -> StageOutline:
    """Return what a stage comes to by its plan."""
    outlines = {size: stage.format_spec.outline(size, stage.chosen_options) for size in set(plan.sizes)}
    rounds = [each.rounds for each in outlines.values()]
    matches = [outlines[size].matches for size in plan.sizes]
    return StageOutline(
        None if None in rounds else max((each or 0 for each in rounds), default=0),
        None if None in matches else sum(each or 0 for each in matches),
    )


@dataclass(frozen=True, slots=True)
class _Shape:
    """The parts of a stage that decide its numbers."""

    spec: Format
    grouping: GroupingOptions | None
    rule: AdvanceRule | None

    @classmethod
    def of(cls, stage: PlannedStage) -> _Shape:
        return cls(stage.format_spec, stage.grouping_options, stage.advance_rule)


def _plan(shapes: Sequence[_Shape], entrants: int) -> tuple[StagePlan, ...]:
    plans: list[StagePlan] = []
    play_offs: tuple[int, ...] | None = None
    for number, shape in enumerate(shapes, start=1):
        sizes = _sizes_of(number, shape, entrants) if play_offs is None else play_offs
        play_offs = _play_off_sizes(shape, entrants)
        plans.append(StagePlan(entrants, sizes, _count_going_on(shape.rule, sizes, play_offs)))
        entrants = plans[-1].going_on
    return tuple(plans)


def _play_off_sizes(shape: _Shape, entrants: int) -> tuple[int, ...] | None:
    """Return how many play in each play-off of the leagues that so many make, the most first; ``None`` without any."""
    rule, leagues = shape.rule, shape.grouping
    if rule is None or rule.play_offs is None or leagues is None or leagues.league_size is None:
        return None
    sizes = group_sizes(entrants, leagues)
    met = list_play_offs(sizes, rule.play_offs, last_promoted=leagues.promoted_to, last_to_stay=leagues.stays_to)
    return tuple(sorted(map(len, met), reverse=True))


def _find_fault(shapes: Sequence[_Shape], entrants: int) -> ImpossibleStage | None:
    try:
        _plan(shapes, entrants)
    except ImpossibleStage as fault:
        return fault
    return None


def _sizes_of(number: int, shape: _Shape, entrants: int) -> tuple[int, ...]:
    """Return the sizes of a stage's groups, the largest first."""
    sizes: tuple[int, ...] = (entrants,)
    if shape.grouping is not None:
        try:
            sizes = tuple(sorted(group_sizes(entrants, shape.grouping), reverse=True))
        except ValueError:
            raise ImpossibleStage(number, PlanFault.TOO_FEW_FOR_GROUPS, entrants) from None
    if sizes[-1] < shape.spec.min_entrants:
        raise ImpossibleStage(number, PlanFault.GROUP_TOO_SMALL, entrants, sizes)
    if shape.spec.max_entrants is not None and sizes[0] > shape.spec.max_entrants:
        raise ImpossibleStage(number, PlanFault.GROUP_TOO_LARGE, entrants, sizes)
    return sizes


def _most_above(percent: int, size: int) -> int:
    """Return how many of a group can have more than a share of the points, if they beat all others."""
    twice_least = percent * 2 * (size - 1)
    return next((most for most in range(size, 0, -1) if (2 * size - most - 1) * 100 > twice_least), 0)


def _count_going_on(rule: AdvanceRule | None, sizes: Sequence[int], play_offs: Sequence[int] | None = None) -> int:
    if rule is None:
        return 0
    if play_offs is not None:
        return sum(play_offs)
    if rule.above_percent is not None:
        return sum(sizes)
    return sum(min(rule.first, size) for size in sizes) + min(rule.best, sum(size > rule.first for size in sizes))
