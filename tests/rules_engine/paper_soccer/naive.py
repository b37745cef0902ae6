"""One point of Paper Soccer straight from the rules: points are pairs, lines are sets of two. Slow and simple."""

from dataclasses import dataclass, replace

Place = tuple[int, int]
Drawn = frozenset[frozenset[Place]]

COMPASS = {
    "0": (0, -1),
    "1": (1, -1),
    "2": (1, 0),
    "3": (1, 1),
    "4": (0, 1),
    "5": (-1, 1),
    "6": (-1, 0),
    "7": (-1, -1),
}
FIELD = {(x, y) for x in range(9) for y in range(11)}
NORTH_GOAL = {(3, -1), (4, -1), (5, -1)}
SOUTH_GOAL = {(3, 11), (4, 11), (5, 11)}
MOUTHS = [{(3, 0), (4, 0)}, {(4, 0), (5, 0)}, {(3, 10), (4, 10)}, {(4, 10), (5, 10)}]
NEAR_GOALS = {(3, 0): {(4, -1)}, (4, 0): NORTH_GOAL, (5, 0): {(4, -1)}} | {
    (3, 10): {(4, 11)},
    (4, 10): SOUTH_GOAL,
    (5, 10): {(4, 11)},
}
OTHER = {"yellow": "red", "red": "yellow"}


@dataclass(frozen=True)
class Point:
    """One point being played: who is to draw, where the ball is, where it has been, what has been drawn."""

    side: str
    ball: Place = (4, 5)
    been: frozenset[Place] = frozenset({(4, 5)})
    drawn: Drawn = frozenset()
    own_goals: bool = True


def joins(start: Place, end: Place) -> bool:
    """Return whether the rules have a step between neighbours, the first of them on the field proper."""
    if end in NORTH_GOAL | SOUTH_GOAL:
        return end in NEAR_GOALS.get(start, set())
    if start not in FIELD or end not in FIELD:
        return False
    if {start, end} in MOUTHS:
        return True
    on_side = start[0] == end[0] and start[0] in (0, 8)
    on_end = start[1] == end[1] and start[1] in (0, 10)
    return not on_side and not on_end


def on_wall(place: Place) -> bool:
    """Return whether a point lies on a wall: the mouths' middles do not."""
    x, y = place
    return place in FIELD and (x in (0, 8) or y in (0, 10)) and place not in ((4, 0), (4, 10))


def steps(point: Point) -> dict[str, Point]:
    """Return every legal step and what it leads to."""
    found: dict[str, Point] = {}
    if point.ball in NORTH_GOAL | SOUTH_GOAL:
        return found
    for digit, (east, south) in COMPASS.items():
        end = (point.ball[0] + east, point.ball[1] + south)
        line = frozenset({point.ball, end})
        own_goal = end in (SOUTH_GOAL if point.side == "yellow" else NORTH_GOAL)
        if not joins(point.ball, end) or line in point.drawn or (own_goal and not point.own_goals):
            continue
        bounces = end in point.been or on_wall(end)
        found[digit] = replace(
            point,
            side=point.side if bounces else OTHER[point.side],
            ball=end,
            been=point.been | {end},
            drawn=point.drawn | {line},
        )
    return found


def winner(point: Point) -> str | None:
    """Return who has got the point: who attacks the goal with the ball, or whose opponent cannot go on."""
    if point.ball in NORTH_GOAL:
        return "yellow"
    if point.ball in SOUTH_GOAL:
        return "red"
    return None if steps(point) else OTHER[point.side]
