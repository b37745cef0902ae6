"""The picture of a StreetSoccer position."""

from rules_engine.messages import Message
from rules_engine.picture import Figure, Line, Picture, Point, Space
from rules_engine.streetsoccer.pitch import FILES, GOALS, NAMES, PITCH, RANKS, STRIDE
from rules_engine.streetsoccer.position import Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import Side

_TO_CORNER = 0.3
"""The distance of a goal's corner from the middle of its space, in columns."""


def draw(position: Position) -> Picture:
    """Return the picture with Red's goal at the top; marked are the spaces that a dead ball may start from."""
    figures = tuple(figure for side in Side for figure in _team(position, side))
    ball = None if position.ball is None else NAMES[position.ball]
    return Picture(
        columns=len(FILES),
        rows=RANKS,
        spaces=SPACES,
        lines=LINES,
        figures=figures,
        ball=ball,
        marks=_marks(position),
        labels=_labels(figures, ball),
        targets=TARGETS,
        corners=CORNERS,
    )


def _team(position: Position, side: Side) -> list[Figure]:
    players = position.players[side]
    return [
        Figure(
            side=side,
            number=index + 1,
            kind="outfielder" if index else "goalie",
            space=NAMES[players[index]] if index < len(players) else None,
            label=_FIGURES[side, index],
        )
        for index in range(TEAM)
    ]


def _labels(figures: tuple[Figure, ...], ball: str | None) -> dict[str, Message]:
    labels = _EMPTY | {figure.space: figure.label for figure in figures if figure.space}
    if ball:
        labels[ball] = _BALL.get(labels[ball].code) or Message("space_figure_ball", figure=labels[ball])
    return labels


def _marks(position: Position) -> tuple[str, ...]:
    if position.side is None or position.rolling:
        return ()
    if position.phase is Phase.KICK_OFF:
        kickers = position.kickers
    elif position.phase is Phase.RESTART and position.ball is None:
        kickers = spaces_of(tuple(position.keeper_choices))
    else:
        return ()
    return tuple(name for number, name in NAMES.items() if kickers >> number & 1)


def _kind(number: int) -> str:
    if (GOALS.yellow | GOALS.red) >> number & 1:
        return "goal"
    return "pitch" if PITCH >> number & 1 else "outside"


def _near_corner(space: Space, mouth: tuple[Space, ...]) -> Point:
    near = min(mouth, key=lambda goal: abs(goal.x - space.x))
    x, y = near.middle
    return x + (_TO_CORNER if space.x > near.x else -_TO_CORNER), y


SPACES = tuple(
    Space(name, number % STRIDE, RANKS - 1 - number // STRIDE, _kind(number)) for number, name in NAMES.items()
)
_MOUTHS = tuple(tuple(space for space in SPACES if space.kind == "goal" and space.y == row) for row in (0, RANKS - 1))
TARGETS = tuple(tuple(space.name for space in mouth) for mouth in _MOUTHS)
"""Both goals: a ball in either half of one is in it."""

CORNERS = {
    space.name: _near_corner(space, mouth)
    for mouth in _MOUTHS
    for space in SPACES
    if space.kind == "outside" and space.y == mouth[0].y
}
"""The points where a ball goes in that crosses the end line beside the goal's middle, by the space's name."""

_EMPTY = {space.name: Message("space_goal" if space.kind == "goal" else "space_empty") for space in SPACES}
_BALL = {"space_empty": Message("space_ball"), "space_goal": Message("space_ball_in_goal")}
_CODES = {Side.YELLOW: ("yellow_goalie", "yellow_player"), Side.RED: ("red_goalie", "red_player")}
_FIGURES = {
    (side, index): Message(player if index else goalie, number=index + 1)
    for side, (goalie, player) in _CODES.items()
    for index in range(TEAM)
}
LINES = (
    Line.box(1, 1, 7, 11),
    Line(((1, 6), (7, 6))),
    Line.box(3, 1, 5, 3),
    Line.box(3, 9, 5, 11),
    Line(((4, 6), (5.4, 6)), kind="circle"),
    Line.box(3, 0.3, 5, 1),
    Line.box(3, 11, 5, 11.7),
)
"""The pitch, the halfway line, the penalty areas, the centre circle (its centre and a point on it), the goals."""
