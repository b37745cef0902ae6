"""Soccer Tactics positions drawn as text.

A diagram has some rows of the board, each with its number in front, the highest first. ``Y10`` and ``R4`` are pawns
with their shirts, ``o`` is the ball: ``Y10R4o`` are two opponents with it on one square. A keeper who is not drawn
stands on d1 or e16; everybody else who is not drawn was sent off.
"""

import re

from rules_engine.soccer_tactics import GAMES
from tests.rules_engine.diagrams import accepts, refuses

__all__ = ["accepts", "ends", "position", "refuses", "roll"]

KEEPERS = {"Y": "d1", "R": "e16"}
BY_KEY = {game.key: game for game in GAMES}


def drawn(diagram):
    """Return the squares of pawns and ball, by name."""
    found = {}
    for line in diagram.strip().splitlines():
        row, *squares = line.split()
        for column, content in zip("abcdefgh", squares, strict=True):
            for figure in re.findall(r"[YR][0-9]+|o", content):
                found[figure] = f"{column}{row}"
    return found


def _kept(keepers):
    """Return the pawns that are keepers, such as ``["Y1", "R2"]``."""
    return [f"{letter}{shirt}" for letter, shirt in zip("YR", keepers.split("-"), strict=True)]


def position(diagram, phase="move", dice="?", *, side="yellow", clock="1.5", preset="", cards=("-", "-"), **fields):
    """Return the state that a diagram shows; ``fields`` are others of the line of text."""
    keepers = fields.setdefault("keepers", "1-1")
    figures = {f"{letter}1": square for letter, square in KEEPERS.items() if f"{letter}1" in _kept(keepers)}
    figures |= drawn(diagram)
    teams, given = [], []
    for letter, own in zip("YR", cards, strict=True):
        squares = [figures.get(f"{letter}{shirt}", "x") for shirt in range(1, 12)]
        teams.append(",".join(squares))
        shirts = {str(shirt) for shirt, square in enumerate(squares, 1) if square == "x"} | set(own.split(",")) - {"-"}
        given.append(",".join(["d"] * ("d" in shirts) + sorted(shirts - {"d"}, key=int)) or "-")
    text = {
        "keepers": keepers,
        "cards": "/".join(given),
        "ball": figures.get("o", "-"),
        "restart": "-",
        "kicker": "-",
        "count": "0",
        "placed": "-/-",
        "score": "0-0",
        "opener": "yellow",
        "penalties": "0-0/0",
    } | fields
    line = " ".join([phase, clock, side, str(dice), *teams, *map(str, text.values())])
    return BY_KEY["soccer-tactics" + preset].read(line)


def ends(state, pawn):
    """Return where the legal moves of the pawn on a square lead."""
    return {move.split("-")[1] for move in state.legal_moves() if move.startswith(f"{pawn}-")}


def roll(state, *texts):
    """Return the state after moves and rolls."""
    for text in texts:
        state = state.play(text)
    return state


def squares(state):
    """Return where each pawn on the board stands, such as ``{"Y1": "d1"}``."""
    fields = str(state).split()
    return {
        f"{letter}{shirt}": square
        for letter, team in zip("YR", fields[4:6], strict=True)
        for shirt, square in enumerate(team.split(","), 1)
        if square not in "-x"
    }
