"""StreetSoccer positions drawn as text, and what the tests say about them.

A diagram has rows with their rank in front, the highest first, and eight columns: ``Y`` and ``R`` are the goalies,
``y`` and ``r`` the outfielders, ``o`` is the ball, ``.`` a free space. Shirts are numbered in reading order. Rows that
are not drawn are empty, but for outfielders who are not drawn: they stand on the first free spaces of ``AWAY``.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from rules_engine.errors import IllegalMove
from rules_engine.protocol import State
from rules_engine.registry import get_game

AWAY = {"yellow": ("a0", "h1", "a1", "h0"), "red": ("b7", "g6", "b5", "h4")}


@dataclass(frozen=True)
class Drawn:
    """The position of a diagram, in the notation of positions."""

    yellow: str
    red: str
    ball: str


def drawn(diagram: str) -> Drawn:
    """Return what a diagram shows."""
    found: dict[str, list[str]] = {figure: [] for figure in "YyRro.="}
    rows = [line.split() for line in diagram.strip().splitlines()]
    ranks = [int(row[0]) for row in rows]
    if ranks != sorted(set(ranks), reverse=True):
        raise ValueError("a diagram has its ranks in falling order, each with its number in front")
    for rank, *columns in rows:
        for file, figure in zip("abcdefgh", columns, strict=True):
            found[figure].append(f"{file}{rank}")
    teams = {"yellow": found["Y"] + found["y"], "red": found["R"] + found["r"]}
    taken = {*teams["yellow"], *teams["red"], *found["o"]}
    for side, players in teams.items():
        players.extend([space for space in AWAY[side] if space not in taken][: 5 - len(players)])
    return Drawn(**{side: ",".join(players) for side, players in teams.items()}, ball="".join(found["o"]) or "-")


def position(
    diagram: str,
    *,
    side: str = "yellow",
    dice: int | str = "-",
    phase: str = "play",
    clock: str = "",
    preset: str = "board",
    score: str = "0-0",
    last_scorer: str = "-",
) -> Any:
    """Return the state that a diagram shows, in minute 3 unless another is given."""
    shown = drawn(diagram)
    clock = clock or ("1.1" if phase in ("set-up", "kick-off") else "3.1" if side == "yellow" else "3.2")
    return get_game(f"streetsoccer-{preset}").read(
        f"{phase} {clock} {side} {dice} {shown.yellow} {shown.red} {shown.ball} {score} {last_scorer}"
    )


def accepts(state: State, move: str) -> State:
    """Assert that a move is legal and return where it leads."""
    assert move in state.legal_moves()
    return state.play(move)


def refuses(state: State, move: str, rule: str, *words: str) -> None:
    """Assert that a move breaks a rule, and that the sentence about it has these words."""
    assert move not in state.legal_moves()
    with pytest.raises(IllegalMove) as refusal:
        state.play(move)
    assert refusal.value.rule == rule
    for word in words:
        assert word in str(refusal.value)
