"""Steps in JSON: what may be clicked to put a move together."""

from collections.abc import Iterable
from typing import TypedDict

from matches.errors import refusals_of
from matches.models import Match
from rules_engine.protocol import PlacementPlan, Step

MAX_STEPS = 250
"""The most steps that are sent at once, 16 kB as JSON: a page with more asks for the rest at a click."""


class StepSchema(TypedDict):
    """The steps that may be clicked next."""

    text: str
    """The prefix after this click."""
    space: str
    """The space to click, empty where there is a button instead."""
    final: bool
    """True if ``text`` is a legal move as it stands."""
    label: str | None
    """The label of the button for a step without a space, null of all others."""


class StepsSchema(TypedDict):
    """The clicks that may follow a prefix."""

    ply: int
    prefix: str
    steps: list[StepSchema]


class PlacingStageSchema(TypedDict):
    """A stage of a turn that puts figures on the board."""

    task: str
    """The task in this stage."""
    then: dict[str, int | None]
    """The stage after choosing a space of a group, by the number of the group; null completes the turn."""


class PlacingSchema(TypedDict):
    """Every way to put figures on the board in one turn, an action each, from the first of the stages on."""

    groups: list[list[StepSchema]]
    """Groups of spaces that are alike. No space can be chosen twice."""
    stages: list[PlacingStageSchema]


class StepTreeSchema(TypedDict):
    """The clicks that may follow each prefix."""

    ply: int
    steps: dict[str, list[StepSchema]]
    """The clicks by their prefix; ask for those of a prefix that is missing."""
    placing: PlacingSchema | None
    """Null unless the turn puts several figures on the board."""


def steps_to_json(match: Match, prefix: str) -> StepsSchema:
    """Return what the side to act may click after ``prefix``, nothing while nobody may act.

    Raises ``UnreadableMove``.
    """
    with refusals_of(match.game):
        steps = match.state.steps(prefix) if match.is_running else ()
    return {"ply": match.ply, "prefix": prefix, "steps": _list_to_json(steps)}


def step_tree_to_json(match: Match, *, max_steps: int | None = None) -> StepTreeSchema:
    """Return everything that the side to act may click, prefix by prefix.

    Only the first clicks where there are more than ``max_steps`` in all (``MAX_STEPS`` unless it is given), nothing
    while nobody may act.
    """
    state = match.state
    most = MAX_STEPS if max_steps is None else max_steps
    tree: dict[str, tuple[Step, ...]] = {}
    prefixes = [""] if match.is_running else []
    count = 0
    for prefix in prefixes:
        steps = state.steps(prefix)
        if steps:
            tree[prefix] = steps
            prefixes += [step.text for step in steps if not step.final]
            count += len(steps)
        if count > most:
            tree = {"": tree[""]}
            break
    placing = state.placement_plan() if match.is_running else None
    return {
        "ply": match.ply,
        "steps": {prefix: _list_to_json(steps) for prefix, steps in tree.items()},
        "placing": _placing_to_json(placing) if placing else None,
    }


def _list_to_json(steps: Iterable[Step]) -> list[StepSchema]:
    return [{"text": step.text, "space": step.space, "final": step.final, "label": step.label} for step in steps]


def _placing_to_json(placing: PlacementPlan) -> PlacingSchema:
    return {
        "groups": [_list_to_json(steps) for steps in placing.groups],
        "stages": [
            {"task": stage.task, "then": {str(group): number for group, number in stage.then.items()}}
            for stage in placing.stages
        ],
    }
