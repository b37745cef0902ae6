"""How many enter each stage of a competition, in groups of which sizes, and what that comes to, before any draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from tournaments.advancement import AdvanceRule
from tournaments.formats.protocol import Format
from tournaments.grouping import GroupingOptions, count_groups

MAX_PLANNED = 4096
"""Up to how many entrants a number is looked for with which all stages can be played."""


class PlannedStage(Protocol):
    """What is known of a stage before it is played."""

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
    """How many enter a stage, the sizes of its groups, and how many go on; at most, where the results tell."""

    entrants: int
    sizes: tuple[int, ...]
    going_on: int


@dataclass(frozen=True, slots=True)
class StageOutline:
    """What a stage comes to: the rounds of its longest group and the matches of all; ``None`` without an end."""

    rounds: int | None
    matches: int | None


def plan_stages(stages: Sequence[PlannedStage], entrants: int) -> tuple[StagePlan, ...]:
    """Return how so many entrants go through the stages. Raises ``ImpossibleStage`` for the first that cannot be."""
    plans = []
    for number, stage in enumerate(stages, start=1):
        sizes = _sizes_of(number, stage, entrants)
        plans.append(StagePlan(entrants, sizes, _count_going_on(stage.advance_rule, sizes)))
        entrants = plans[-1].going_on
    return tuple(plans)


def fewest_entrants(stages: Sequence[PlannedStage]) -> int | None:
    """Return with how many entrants at least all stages can be played, ``None`` for none up to ``MAX_PLANNED``."""
    return next((entrants for entrants in range(2, MAX_PLANNED + 1) if _is_possible(stages, entrants)), None)


def outline_stage(stage: PlannedStage, plan: StagePlan) -> StageOutline:
    """Return what a stage comes to by its plan."""
    outlines = {size: stage.format_spec.outline(size, stage.chosen_options) for size in set(plan.sizes)}
    rounds = [each.rounds for each in outlines.values()]
    matches = [outlines[size].matches for size in plan.sizes]
    return StageOutline(
        None if None in rounds else max(each or 0 for each in rounds),
        None if None in matches else sum(each or 0 for each in matches),
    )


def _sizes_of(number: int, stage: PlannedStage, entrants: int) -> tuple[int, ...]:
    """Return the sizes of a stage's groups, the largest first."""
    spec, grouping = stage.format_spec, stage.grouping_options
    sizes: tuple[int, ...] = (entrants,)
    if grouping is not None:
        try:
            count = count_groups(entrants, grouping)
        except ValueError:
            raise ImpossibleStage(number, PlanFault.TOO_FEW_FOR_GROUPS, entrants) from None
        small, larger = divmod(entrants, count)
        sizes = (small + 1,) * larger + (small,) * (count - larger)
    if sizes[-1] < spec.min_entrants:
        raise ImpossibleStage(number, PlanFault.GROUP_TOO_SMALL, entrants, sizes)
    if spec.max_entrants is not None and sizes[0] > spec.max_entrants:
        raise ImpossibleStage(number, PlanFault.GROUP_TOO_LARGE, entrants, sizes)
    return sizes


def _count_going_on(rule: AdvanceRule | None, sizes: Sequence[int]) -> int:
    if rule is None:
        return 0
    if rule.above_percent is not None:
        return sum(sizes)
    return sum(min(rule.first, size) for size in sizes) + min(rule.best, sum(size > rule.first for size in sizes))


def _is_possible(stages: Sequence[PlannedStage], entrants: int) -> bool:
    try:
        plan_stages(stages, entrants)
    except ImpossibleStage:
        return False
    return True
