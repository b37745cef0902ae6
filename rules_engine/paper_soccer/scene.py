"""The look of a point of Paper Soccer: paper, walls, and the lines in the order in which they were drawn."""

from rules_engine.messages import Message
from rules_engine.paper_soccer.field import COLUMNS, GOALS, NAMES, PLACES, POINTS, ROWS, START, WALLS, WAYS
from rules_engine.paper_soccer.position import Position
from rules_engine.picture import Line, Picture, Segment, Space
from rules_engine.values import Side


def draw(position: Position) -> Picture:
    """Return the picture with the goal that Yellow attacks at the top."""
    segments, ball = _segments(position.first, position.path), NAMES[position.ball]
    return Picture(
        columns=COLUMNS,
        rows=ROWS,
        spaces=SPACES,
        lines=LINES,
        figures=(),
        ball=ball,
        segments=segments,
        labels=_labels(segments, ball),
        targets=TARGETS,
    )


def _labels(segments: tuple[Segment, ...], ball: str) -> dict[str, Message]:
    labels = dict(_UNTOUCHED)
    for name in {name for segment in segments for name in (segment.start, segment.end)}:
        if labels[name] is _FREE:
            labels[name] = _BOUNCES
    labels[ball] = Message("space_ball") if labels[ball] is _FREE else Message("point_ball", point=labels[ball])
    return labels


def _segments(first: Side, path: str) -> tuple[Segment, ...]:
    point, side = START, first
    segments = []
    for digit in path:
        if digit == " ":
            side = side.opponent
            continue
        segment, point = _STEPS[point, digit, side]
        segments.append(segment)
    return tuple(segments)


def _kind(number: int) -> str:
    if (GOALS.yellow | GOALS.red) >> number & 1:
        return "goal"
    return "wall" if WALLS >> number & 1 else "point"


SPACES = tuple(Space(NAMES[number], x, y + 1, _kind(number)) for number, (x, y) in enumerate(PLACES))
TARGETS = tuple(
    tuple(space.name for space in SPACES if space.kind == "goal" and space.y == row) for row in (0, ROWS - 1)
)
"""Both goals: it does not matter where a ball crosses the line."""

_FREE, _BOUNCES = Message("point_free"), Message("point_bouncing")
_WORDS = {"point": _FREE, "wall": Message("point_wall")}
_GOALS = {0: Message("goal_red"), ROWS - 1: Message("goal_yellow")}
_UNTOUCHED = {space.name: _WORDS.get(space.kind) or _GOALS[space.y] for space in SPACES}
_NORTH_GOAL = ((3, 0), (3, -1), (5, -1), (5, 0))
_SOUTH_GOAL = ((5, 10), (5, 11), (3, 11), (3, 10))
_CORNERS = ((0, 0), *_NORTH_GOAL, (8, 0), (8, 10), *_SOUTH_GOAL, (0, 10), (0, 0))
LINES = (Line(tuple((x + 0.5, y + 1.5) for x, y in _CORNERS), kind="wall"),)
"""The walls around the field and both goals: one line through the middles of its points."""

_STEPS = {
    (point, digit, side): (Segment(NAMES[point], NAMES[other], side), other)
    for point in range(POINTS)
    for digit, other, _ in WAYS[point]
    for side in Side
}
"""The steps' lines and ends, made once, because a picture late in a point has hundreds of steps."""
