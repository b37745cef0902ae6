"""The whole set-up as stages: which spaces may be taken after which, so that a page needs one request for it (S4)."""

from collections import defaultdict
from dataclasses import replace

from rules_engine.protocol import PlacementPlan, PlacementStage, Step
from rules_engine.streetsoccer import description, set_up
from rules_engine.streetsoccer.notation import Placed
from rules_engine.streetsoccer.pitch import CENTRE_CIRCLE, HALVES, KEEPER_SPACES, NAMES, PENALTY_AREAS, PITCH
from rules_engine.streetsoccer.position import Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.turn import spaces_of

_AREAS = tuple(area for areas in (KEEPER_SPACES, PENALTY_AREAS, CENTRE_CIRCLE, HALVES) for area in areas)
"""The areas that the rules of the set-up speak of: spaces that lie in the same ones are alike."""


def plan_set_up(position: Position) -> PlacementPlan:
    """Return every way in which the side to act can complete its set-up from here."""
    groups = _alike(PITCH & ~spaces_of((*position.own, *position.opponents)))
    start = (0,) * len(groups)
    numbers = {start: 0}
    stages = []
    # The list grows while the loop reads it.
    for counts in (todo := [start]):
        team = (*position.own, *_first_of(groups, counts))
        then: dict[int, int | None] = {}
        for index, spaces in enumerate(groups):
            if counts[index] == len(spaces) or not _may_stand(position, team, spaces[counts[index]]):
                continue
            if len(team) + 1 == TEAM:
                then[index] = None
                continue
            after = (*counts[:index], counts[index] + 1, *counts[index + 1 :])
            if after not in numbers:
                numbers[after] = len(todo)
                todo.append(after)
            then[index] = numbers[after]
        standing = replace(position, players=position.players.with_side(position.acting, team))
        stages.append(PlacementStage(description.task(standing), then))
    return PlacementPlan(tuple(tuple(map(_step, spaces)) for spaces in groups), tuple(stages))


def _alike(free: int) -> list[tuple[int, ...]]:
    """Return free spaces in groups: those of a group lie in the same areas."""
    groups: defaultdict[tuple[bool, ...], list[int]] = defaultdict(list)
    for number in NAMES:
        if free >> number & 1:
            groups[tuple(bool(area >> number & 1) for area in _AREAS)].append(number)
    return [tuple(spaces) for spaces in groups.values()]


def _first_of(groups: list[tuple[int, ...]], counts: tuple[int, ...]) -> list[int]:
    """Return so many spaces of each group, for any others of it: the goalie's among them comes first."""
    chosen = [space for spaces, count in zip(groups, counts, strict=True) for space in spaces[:count]]
    keeper = KEEPER_SPACES.yellow | KEEPER_SPACES.red
    return sorted(chosen, key=lambda space: not keeper >> space & 1)


def _may_stand(position: Position, team: tuple[int, ...], space: int) -> bool:
    return set_up.refusal(position.preset, position.acting, team, position.opponents, space) is None


def _step(space: int) -> Step:
    return Step(str(Placed((space,))), NAMES[space], final=True)
