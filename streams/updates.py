"""What pages show of a change, made once for all who have it on a page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from matches.models import Match, SeekStatus
from matches.selectors.matches import find_last_turn, get_match
from matches.selectors.seeks import visible_seeks
from matches.views.seek_rows import news_of_seek, render_seek_row
from matches.views.updates import choices_to_json, update_to_json
from rules_engine.values import Side
from tournaments.pages.views.bracket_rows import BracketRows

MAX_BYTES = 2_800
"""The most bytes of an update with its steps, so that no event takes more than 3 kB. A page asks for what is longer."""

MAX_ROWS = 16_000
"""The most characters of the rows of a table or bracket that an event brings."""

MIN_STEP_BYTES = 48
"""The fewest bytes that a step has as JSON: of more than there is room for, not all are made."""

MAX_PLIES = 20
"""The number of the latest plies among which the beginning of the last turn is looked for."""


bracket_rows = BracketRows()
"""The brackets that the streams of this process have told of."""


@dataclass(frozen=True, slots=True)
class Update:
    """What pages show of a change, by members of its event as JSON; ``steps`` are for the player to act alone."""

    shared: Mapping[str, str]
    actor: int | None = None
    steps: Mapping[str, str] | None = None

    def members_for(self, player_id: int | None) -> Mapping[str, str]:
        """Return the members that an event has for a player, or for a visitor."""
        own = self.steps if self.steps is not None and player_id is not None and player_id == self.actor else {}
        return {**self.shared, **own}


def read_update(match_id: int, players: set[int]) -> Update | None:
    """Return what those who watch a match are sent, with the steps of the player to act if they are among ``players``.

    ``None`` if it is too long.
    """
    match = get_match(match_id)
    shared = write_value(update_to_json(match, find_last_turn(match, since=match.ply - MAX_PLIES)))
    actor = match.player_to_act
    if len(shared) > MAX_BYTES:
        return None
    members = {"update": shared}
    if actor is None or actor.pk not in players:
        return Update(members)
    return Update(members, actor.pk, _steps(match, MAX_BYTES - len(shared)))


def read_row(seek_id: int) -> Update | None:
    """Return what those who have the lobby on a page are sent of a seek that everybody sees; ``None`` if it is gone."""
    seek = visible_seeks(None).filter(pk=seek_id).first()
    if seek is None:
        return None
    row = render_seek_row(seek) if seek.status == SeekStatus.OPEN else ""
    return Update({"row": write_value(row), "says": write_value(news_of_seek(seek))})


def read_table_rows(group_id: int, results: Any) -> Update | None:
    """Return what those who have a competition on a page are sent of a group; ``None`` if they have to fetch it."""
    rows = bracket_rows.take(group_id, results)
    if rows is None or len(rows.html) > MAX_ROWS:
        return None
    return Update({"rows": write_value(rows.html), "rows_since": write_value(rows.since)})


def _steps(match: Match, room: int) -> Mapping[str, str] | None:
    """Return what the side to act may click: everything, else the first clicks, or ``None`` if neither has room."""
    found = choices_to_json(match, Side(match.side), max_steps=room // MIN_STEP_BYTES)
    first = {"steps": {prefix: steps for prefix, steps in found["steps"].items() if not prefix}, "placing": None}
    for each in (found, first) if found["placing"] is None else (found,):
        written = {name: write_value(value) for name, value in each.items()}
        if sum(map(len, written.values())) <= room:
            return written
    return None


def write_value(value: Any) -> str:
    """Return a member of an event as JSON."""
    return json.dumps(value, cls=JSONEncoder, separators=(",", ":"))
