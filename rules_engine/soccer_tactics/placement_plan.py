"""The pawns of a kick-off as stages: which squares may be taken after which, in one request of a page (T13)."""

from dataclasses import replace

from rules_engine.protocol import PlacementPlan, PlacementStage, Step
from rules_engine.soccer_tactics import description
from rules_engine.soccer_tactics.board import NAMES, squares_of
from rules_engine.soccer_tactics.legal_moves import placing_area, placing_squares
from rules_engine.soccer_tactics.notation import PLACINGS
from rules_engine.soccer_tactics.position import Position


def plan_kick_off(position: Position) -> PlacementPlan:
    """Return every way in which the side to act can place its pawns from here, one pawn a stage.

    A pawn's squares are the same whatever was chosen before, but that no square can be chosen twice. Squares that are
    open in the same stages are a group.
    """
    acting, taken = position.acting, position.team(position.attackers) | position.team(position.defenders)
    tasks, areas = [], []
    while position.is_waiting and position.acting is acting:
        tasks.append(description.task(position))
        areas.append(placing_area(position) & ~taken)
        square = squares_of(placing_squares(position))[0]
        placed = position.with_pawn(*position.next_placed, square)
        position = replace(position, squares=placed, ball=square if position.ball is None else position.ball)
    groups: dict[tuple[bool, ...], list[Step]] = {}
    for square, name in NAMES.items():
        stages = tuple(bool(area >> square & 1) for area in areas)
        if any(stages):
            groups.setdefault(stages, []).append(Step(PLACINGS[square], name, final=True))
    return PlacementPlan(
        tuple(tuple(steps) for steps in groups.values()),
        tuple(
            PlacementStage(
                task,
                {
                    group: stage + 1 if stage + 1 < len(tasks) else None
                    for group, stages in enumerate(groups)
                    if stages[stage]
                },
            )
            for stage, task in enumerate(tasks)
        ),
    )
