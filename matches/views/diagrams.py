"""Diagrams in the texts about rules: a position, perhaps with a move that is played or refused in it.

In a text a diagram is a fenced block that says ``diagram``: a line with a game's key, a colon and a
position; perhaps a line ``plays MOVE`` or ``refused MOVE (RULE)``; an empty line; the position drawn
as plain text, for those who read the text as it is. A page draws the board in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from matches.views.board import draw_board, draw_trail
from rules_engine.picture import Picture
from rules_engine.protocol import State
from rules_engine.registry import get_game

_FORM = re.compile(
    r"(?P<game>\S+): (?P<position>.+)\n"
    r"(?:plays (?P<played>\S+)\n|refused (?P<refused>\S+) \((?P<rule>\S+)\)\n)?"
    r"\n(?P<drawing>(?s:.+))"
)


@dataclass(frozen=True, slots=True)
class Diagram:
    """A parsed block. ``played`` and ``refused`` are moves, ``rule`` is the id of the refusing rule; empty if none."""

    game: str
    position: str
    played: str
    refused: str
    rule: str
    drawing: str

    @property
    def state(self) -> State:
        """Return the position as a state of its game; raises ``InvalidNotation``."""
        return get_game(self.game).read(self.position)


def read_diagram(block: str) -> Diagram:
    """Return a parsed block. Raises ``ValueError`` if it is not a diagram."""
    found = _FORM.fullmatch(block)
    if not found:
        raise ValueError(f"this is no diagram:\n{block}")
    return Diagram(**found.groupdict(default=""))


def render_diagram(diagram: Diagram) -> str:
    """Return the diagram as HTML: the board with the way that the played move takes, and a caption."""
    state = diagram.state
    picture = state.picture()
    board = draw_board(
        picture,
        trail=draw_trail(state, diagram.played) if diagram.played else None,
        summary=_describe(picture),
    )
    family = get_game(diagram.game).family
    return render_to_string(f"rules/diagrams/{family}.html", {"board": board, "diagram": diagram})


def _describe(picture: Picture) -> str:
    """Return the position in words, for those who cannot see it."""
    figures = [f"{figure.label} {figure.space}" for figure in picture.figures if figure.space]
    ball = [_("ball %(space)s") % {"space": picture.ball}] if picture.ball else []
    return _("Diagram: %(figures)s") % {"figures": ", ".join([*figures, *ball])}
