"""The number of entrants of each stage, the sizes of its groups, and what it comes to."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.advancement import AdvanceRule, plan_seeds
from formats.grouping import GroupingOptions, form_groups
from formats.protocol import Format
from formats.registry import get_format
from formats.stage_plans import (
    MAX_PLANNED,
    ImpossibleStage,
    PlanFault,
    StageOutline,
    StagePlan,
    fewest_entrants,
    missing_entrants,
    outline_stage,
    plan_stages,
)


@dataclass(frozen=True)
class Planned:
    """A stage by its format, with its usual options."""

    format: str
    grouping_options: GroupingOptions | None = None
    advance_rule: AdvanceRule | None = None

    @property
    def format_spec(self) -> Format:
        return get_format(self.format)

    @property
    def chosen_options(self) -> Any:
        return self.format_spec.options()


KNOCK_OUT = Planned("knock-out")
GROUPS = Planned("round-robin", GroupingOptions(size=4), AdvanceRule(first=2))


def test_groups_differ_by_one_and_the_first_of_each_go_on():
    plans = plan_stages([GROUPS, KNOCK_OUT], 14)
    assert plans == (StagePlan(14, (4, 4, 3, 3), 8), StagePlan(8, (8,), 0))


def test_missing_entrants_are_counted_from_every_number_of_entrants():
    stages = [Planned("round-robin", GroupingOptions(size=2), AdvanceRule(first=1)), KNOCK_OUT]
    assert [missing_entrants(stages, number) for number in range(8)] == [4, 3, 2, 1, 0, 1, 0, 1]
    assert missing_entrants([Planned("round-robin", GroupingOptions(groups=MAX_PLANNED))], 2) is None


@given(st.integers(2, 200), st.integers(1, 5), st.integers(0, 8))
def test_as_many_are_planned_as_have_seeds_in_the_next_stage(entrants, first, best):
    stage = Planned("round-robin", GroupingOptions(size=5), AdvanceRule(first=first, best=best))
    (plan,) = plan_stages([stage], entrants)
    groups = form_groups(range(entrants), GroupingOptions(size=5))
    assert sorted(plan.sizes) == sorted(map(len, groups))
    assert plan.going_on == len(plan_seeds(AdvanceRule(first=first, best=best), plan.sizes) or ())


def test_everybody_may_go_on_above_a_share_of_the_points():
    (plan,) = plan_stages([Planned("round-robin", None, AdvanceRule(first=0, above_percent=50))], 9)
    assert plan.going_on == 9


@pytest.mark.parametrize(
    ("stages", "entrants", "number", "fault"),
    [
        ([Planned("round-robin", GroupingOptions(groups=4))], 7, 1, PlanFault.TOO_FEW_FOR_GROUPS),
        ([Planned("double-elimination")], 2, 1, PlanFault.GROUP_TOO_SMALL),
        ([GROUPS, Planned("double-elimination")], 4, 2, PlanFault.GROUP_TOO_SMALL),
    ],
)
def test_a_stage_that_cannot_be_played_is_named(stages, entrants, number, fault):
    with pytest.raises(ImpossibleStage) as caught:
        plan_stages(stages, entrants)
    assert (caught.value.number, caught.value.fault) == (number, fault)


def test_a_format_that_takes_so_many_takes_no_more(monkeypatch):
    monkeypatch.setattr(get_format("round-robin"), "max_entrants", 40, raising=False)
    assert plan_stages([Planned("round-robin")], 40)
    with pytest.raises(ImpossibleStage) as caught:
        plan_stages([Planned("round-robin")], 41)
    assert (caught.value.fault, caught.value.sizes) == (PlanFault.GROUP_TOO_LARGE, (41,))


@pytest.mark.parametrize(
    ("stages", "fewest"),
    [
        ([KNOCK_OUT], 2),
        ([GROUPS, KNOCK_OUT], 2),
        ([GROUPS, Planned("double-elimination")], 5),
        ([Planned("round-robin", GroupingOptions(groups=8), AdvanceRule(first=1)), KNOCK_OUT], 16),
        ([Planned("round-robin", None, AdvanceRule(first=1)), KNOCK_OUT], None),
    ],
)
def test_the_fewest_with_whom_all_stages_can_be_played(stages, fewest):
    assert fewest_entrants(stages) == fewest


def test_a_stage_comes_to_the_rounds_of_its_longest_group_and_the_matches_of_all():
    groups, knock_out = plan_stages([GROUPS, KNOCK_OUT], 14)
    assert outline_stage(GROUPS, groups) == StageOutline(rounds=3, matches=6 + 6 + 3 + 3)
    assert outline_stage(KNOCK_OUT, knock_out) == StageOutline(rounds=3, matches=7 * 4)


def test_a_stage_without_an_end_comes_to_no_number():
    stage = Planned("points-ladder")
    assert outline_stage(stage, plan_stages([stage], 9)[0]) == StageOutline(None, None)
