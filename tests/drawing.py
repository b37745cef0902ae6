"""Pictures drawn as plain text, for the diagrams in the rules and for tests."""

from rules_engine.picture import Picture

_CELL = 3
"""The width of a space in characters, where no figure has two digits or shares its space with another."""

_GROUND = {"pitch": " .", "goal": " #", "point": " .", "wall": " +"}


def as_text(picture: Picture) -> str:
    r"""Return the picture as lines of text, the top row first; the names of a row's ends stand beside it.

    ``Y1`` is Yellow's figure 1, ``R4`` Red's figure 4, ``()`` the ball, ``(Y1`` a figure that has it. Lines drawn in
    play are ``--``, ``|``, ``/`` and ``\\``, or ``X`` where two of them cross; they need rows between the spaces' own.
    """
    content = {space.name: _GROUND.get(space.kind, "  ") for space in picture.spaces}
    standing: dict[str, str] = {}
    for figure in picture.figures:
        if figure.space is not None:
            here = f"{figure.side.value[0].upper()}{figure.number}"
            standing[figure.space] = standing.get(figure.space, "") + here
    content |= standing
    if picture.ball is not None:
        content[picture.ball] = f"({standing[picture.ball]}" if picture.ball in standing else "()"
    widest = max(map(len, standing.values()), default=2)
    cell = _CELL if widest < _CELL else widest + 2
    stretch = 2 if picture.segments else 1
    canvas = [[" "] * cell * picture.columns for _ in range(stretch * picture.rows)]
    names: dict[int, tuple[str, str]] = {}
    for space in sorted(picture.spaces, key=lambda space: (space.y, space.x)):
        canvas[stretch * space.y][cell * space.x + 1 : cell * (space.x + 1)] = content[space.name].ljust(cell - 1)
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
