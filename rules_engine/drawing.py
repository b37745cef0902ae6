"""Pictures drawn: as plain text for terminals and tests, as SVG for everything else."""

from __future__ import annotations

from html import escape

from rules_engine.picture import Figure, Line, Picture, Segment, Space
from rules_engine.values import Side

UNIT = 40
"""How many SVG units a space is wide."""

_CELL = 3
"""How many characters a space is wide."""

_GROUND = {"pitch": " .", "goal": " #", "point": " .", "wall": " +"}

_STYLE = (
    ".outside{fill:#3f4753}.pitch{fill:#2c7a67}.goal{fill:#566070}.line{fill:none;stroke:#f6f2e8;stroke-width:3}"
    ".yellow{fill:#ffc42e}.red{fill:#d8263f}.figure{stroke:#1c2026;stroke-width:1.5}"
    ".number{font:bold 18px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#1c2026}"
    ".number.on-red{fill:#fff}.ball{fill:#fff;stroke:#1c2026;stroke-width:2}"
    ".point,.wall{fill:#fbf8ef}.line.wall{fill:none;stroke:#1c2026}.ink{stroke-width:3;stroke-linecap:round}"
    ".ink.yellow{stroke:#b07c00}.ink.red{stroke:#d8263f}"
    ".mark{fill:none;stroke:#fff;stroke-width:2;stroke-dasharray:4 3}"
)


def as_text(picture: Picture) -> str:
    """Return the picture as lines of text, the top row first; the names of a row's ends stand beside it.

    ``Y1`` is Yellow's figure 1, ``R4`` Red's figure 4, ``()`` the ball, ``(Y1`` a figure that has it. Lines drawn in
    play are ``--``, ``|``, ``/`` and ``\\``, or ``X`` where two of them cross; they need rows between the spaces' own.
    """
    content = {space.name: _GROUND.get(space.kind, "  ") for space in picture.spaces}
    for figure in picture.figures:
        if figure.space is not None:
            content[figure.space] = f"{figure.side.value[0].upper()}{figure.number}"
    if picture.ball is not None:
        held = any(figure.space == picture.ball for figure in picture.figures)
        content[picture.ball] = f"({content[picture.ball]}" if held else "()"
    stretch = 2 if picture.segments else 1
    canvas = [[" "] * _CELL * picture.columns for _ in range(stretch * picture.rows)]
    names: dict[int, tuple[str, str]] = {}
    for space in sorted(picture.spaces, key=lambda space: (space.y, space.x)):
        canvas[stretch * space.y][_CELL * space.x + 1 : _CELL * (space.x + 1)] = content[space.name]
        leftmost, _ = names.get(stretch * space.y, (space.name, ""))
        names[stretch * space.y] = leftmost, space.name
    _draw_segments(canvas, picture)
    lines = []
    for row, characters in enumerate(canvas[: max(names) + 1]):
        left, right = names.get(row, ("", ""))
        if left or picture.segments:
            lines.append(f"{left:>4} {''.join(characters)}  {right}".rstrip())
    return "\n".join(lines) + "\n"


def _draw_segments(canvas: list[list[str]], picture: Picture) -> None:
    places = {space.name: (space.x, space.y) for space in picture.spaces}
    for segment in picture.segments:
        (x, y), (end_x, end_y) = sorted((places[segment.start], places[segment.end]))
        row, column = y + end_y, _CELL * x + 2
        if x == end_x:
            canvas[row][column] = "|"
        elif y == end_y:
            canvas[row][column + 1 : column + 3] = [
                "-" if character == " " else character for character in canvas[row][column + 1 : column + 3]
            ]
        else:
            crossed = canvas[row][column + 1] != " "
            canvas[row][column + 1] = "X" if crossed else "\\" if y < end_y else "/"


def as_svg(picture: Picture) -> str:
    """Return the picture as a whole SVG document that needs nothing else."""
    places = {space.name: space for space in picture.spaces}
    size = f"0 0 {picture.columns * UNIT} {picture.rows * UNIT}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="img"><style>{_STYLE}</style>']
    parts += [
        f'<rect class="{escape(space.kind)}" x="{space.x * UNIT}" y="{space.y * UNIT}" width="{UNIT}" height="{UNIT}"/>'
        for space in picture.spaces
    ]
    parts += [_svg_line(line) for line in picture.lines]
    parts += [_svg_segment(segment, places) for segment in picture.segments]
    parts += [
        f'<circle class="mark" cx="{_centre(places[name].x)}" cy="{_centre(places[name].y)}" r="18"/>'
        for name in picture.marks
    ]
    parts += [_svg_figure(figure, places[figure.space]) for figure in picture.figures if figure.space is not None]
    if picture.ball is not None:
        ball = places[picture.ball]
        parts.append(f'<circle class="ball" cx="{_centre(ball.x)}" cy="{_centre(ball.y)}" r="8"/>')
    return "".join([*parts, "</svg>"])


def _centre(place: int) -> float:
    return (place + 0.5) * UNIT


def _svg_line(line: Line) -> str:
    if line.kind == "circle":
        (x, y), (rim_x, rim_y) = line.points
        radius = ((rim_x - x) ** 2 + (rim_y - y) ** 2) ** 0.5
        return f'<circle class="line {escape(line.kind)}" cx="{x * UNIT:g}" cy="{y * UNIT:g}" r="{radius * UNIT:g}"/>'
    points = " ".join(f"{x * UNIT:g},{y * UNIT:g}" for x, y in line.points)
    return f'<polyline class="line {escape(line.kind)}" points="{points}"/>'


def _svg_segment(segment: Segment, places: dict[str, Space]) -> str:
    start, end = places[segment.start], places[segment.end]
    ends = f'x1="{_centre(start.x):g}" y1="{_centre(start.y):g}" x2="{_centre(end.x):g}" y2="{_centre(end.y):g}"'
    return f'<line class="ink {segment.side.value}" {ends}/>'


def _svg_figure(figure: Figure, space: Space) -> str:
    x, y = _centre(space.x), _centre(space.y)
    shape = (
        f'<rect class="figure {figure.side.value}" x="{x - 14:g}" y="{y - 14:g}" width="28" height="28" rx="6"/>'
        if figure.kind == "goalie"
        else f'<circle class="figure {figure.side.value}" cx="{x:g}" cy="{y:g}" r="15"/>'
    )
    on_red = " on-red" if figure.side is Side.RED else ""
    return f'{shape}<text class="number{on_red}" x="{x:g}" y="{y:g}">{figure.number}</text>'
