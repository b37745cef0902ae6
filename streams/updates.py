"""The shown parts of matches that have changed: made once for all streams of this process, and sent with the event."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from matches.models import Match
from matches.selectors.matches import find_last_turn, get_match
from matches.views.updates import choices_to_json, update_to_json
from rules_engine.values import Side

MAX_BYTES = 2_800
"""The most bytes of an update with its steps, so that no event takes more than 3 kB. A page asks for what is longer."""

MIN_STEP_BYTES = 48
"""The fewest bytes that a step has as JSON: of more than there is room for, not all are made."""

MAX_PLIES = 20
"""The number of the latest plies among which the beginning of the last turn is looked for."""


@dataclass(frozen=True, slots=True)
class Update:
    """The changes of a match since its last turn began, as JSON; ``steps`` are for the player to act alone."""

    shared: str
    actor: int | None = None
    steps: Mapping[str, str] | None = None

    def members_for(self, player_id: int | None) -> Mapping[str, str]:
        """Return the members that an event has for a player, or for a visitor."""
        own = self.steps if self.steps is not None and player_id is not None and player_id == self.actor else {}
        return {"update": self.shared, **own}


def read_update(match_id: int, players: set[int]) -> Update | None:
    """Return what those who watch a match are sent, with the steps of the player to act if they are among ``players``.

    ``None`` if it is too long.
    """
    match = get_match(match_id)
    shared = _write(update_to_json(match, find_last_turn(match, since=match.ply - MAX_PLIES)))
    actor = match.player_to_act
    if len(shared) > MAX_BYTES:
        return None
    if actor is None or actor.pk not in players:
        return Update(shared)
    return Update(shared, actor.pk, _steps(match, MAX_BYTES - len(shared)))


def _steps(match: Match, room: int) -> Mapping[str, str] | None:
    """Return what the side to act may click: everything, else the first clicks, or ``None`` if neither has room."""
    found = choices_to_json(match, Side(match.side), max_steps=room // MIN_STEP_BYTES)
    first = {"steps": {prefix: steps for prefix, steps in found["steps"].items() if not prefix}, "placing": None}
    for each in (found, first) if found["placing"] is None else (found,):
        written = {name: _write(value) for name, value in each.items()}
        if sum(map(len, written.values())) <= room:
            return written
    return None


def _write(value: Any) -> str:
    return json.dumps(value, cls=JSONEncoder, separators=(",", ":"))
