"""Routes in JSON: one way to play a move."""

from __future__ import annotations

from dataclasses import asdict
from typing import TypedDict, cast

from matches.errors import refusals_of
from matches.models import Match


class RouteSchema(TypedDict):
    """One way to play a move."""

    walk: list[str]
    """The spaces that the player walks over."""
    kick: list[str]
    """The spaces that the ball enters."""
    touches: list[str]
    """The spaces where a player touches the ball."""
    shift: str | None
    """The shift after the kick, if there is one."""


def route_to_json(match: Match, text: str) -> RouteSchema:
    """Return one way to play a move in the present position.

    Raises ``UnreadableMove`` or ``RefusedMove``.
    """
    with refusals_of(match.game):
        return cast("RouteSchema", asdict(match.state.route(text)))
