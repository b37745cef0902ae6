"""Changes of a match since a ply: made once for all who watch, in time that does not depend on the match's length."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from rest_framework.utils.encoders import JSONEncoder

from matches.clock import SECOND
from matches.models import Match, Status
from matches.schemas.match import offer_to_json
from matches.schemas.steps import step_tree_to_json
from matches.schemas.values import numbers_to_json, side_to_json
from matches.selectors.matches import get_match
from matches.selectors.replay import Stage, last_action
from matches.views.latest_rows import (
    before_first_row,
    end_of_rows,
    read_rows_end,
    recall_latest_rows,
    stages_since,
    write_rows_end,
)
from matches.views.position_changes import positions_to_json
from matches.views.remembered import recall, remember
from matches.views.rendered_rows import render_compactly, render_rows
from matches.views.rolls import waiting_rolls
from matches.views.timeline import Row, RowsEnd, list_move_rows
from players.current_player import current_player
from rules_engine.description import summarise
from rules_engine.values import Side

MAX_POSITIONS = 6
"""The most positions of one update, which has those since the last move even if they are more."""

MAX_STEPS = 16
"""The most steps whose whole tree is sent to the side to act: of more, the page asks for what follows each click."""

MAX_REMEMBERED = 4
"""The number of latest plies at which it is remembered how rows go on: not all who watch are equally quick."""

MAX_BEHIND = 8
"""Updates are remembered since so many plies before the latest at most: since earlier ones they may have all rows."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The updates that were made of a match at its latest ply, by the ply since which, and where its rows go on."""

    ply: int
    chain: str
    changes: dict[int, dict[str, Any]]
    ends: tuple[RowsEnd, ...]


@require_safe
@gzip_page
def match_updates(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return what has happened since ``?since=``, as JSON for the page's script; with an entity tag.

    Compressed: where several moves have come at once it has several kB. It holds no secret whose length could tell it.
    """
    match = get_match(match_id)
    player = current_player(request)
    since = _ply(request.GET.get("since", ""))
    you = match.side_of(player.pk if player else None)
    etag = update_etag(match.ply, match.chain, match.changed_at, you)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        choices = choices_to_json(match, you, max_steps=MAX_STEPS)
        data = {**update_to_json(match, min(since, match.ply)), **choices}
        response = JsonResponse(data, encoder=JSONEncoder, json_dumps_params={"separators": (",", ":")})
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


def update_etag(ply: int, chain: str, changed_at: datetime, you: Side | None = None) -> str:
    """Return a weak entity tag: while it stays the same, nothing has happened that a side, or who watches, is sent."""
    return f'W/"{ply}-{chain[:16]}-{changed_at.timestamp():.6f}-{you or "watcher"}"'


def update_to_json(match: Match, since: int) -> dict[str, Any]:
    """Return what all who watch are sent of a match since a ply: how it stands, its positions and rows of moves."""
    return {"since": since, "match": match_state_to_json(match), **_changes(match, since)}


def match_state_to_json(match: Match) -> dict[str, Any]:
    """Return how a match stands now, as its page's script keeps it."""
    state = match.state
    yellow, red = match.banks
    return {
        "ply": match.ply,
        "status": str(match.status),
        "stage": state.stage,
        "task": state.task if match.side else "",
        "turn": side_to_json(match.side),
        "paused_at": match.paused_at,
        "turn_started_at": match.turn_started_at,
        "offer": offer_to_json(match.standing_offer),
        "take_backs": match.take_backs,
        "score": numbers_to_json(state.score),
        "clocks": {"yellow": {"bank": yellow / SECOND}, "red": {"bank": red / SECOND}},
        "in_words": list(summarise(state, is_over=True)) if match.status == Status.FINISHED else None,
    }


def choices_to_json(match: Match, you: Side | None, *, max_steps: int | None = None) -> dict[str, Any]:
    """Return what a side may click now: nothing unless it is to act, the first clicks alone if all are too many."""
    if not may_move(match, you):
        return {"steps": {}, "placing": None}
    tree = step_tree_to_json(match, max_steps=max_steps)
    return {"steps": tree["steps"], "placing": tree["placing"]}


def may_move(match: Match, you: Side | None) -> bool:
    """Return whether a side is to act, and the match is not paused."""
    return you is not None and match.is_running and match.side == you


def _changes(match: Match, since: int) -> dict[str, Any]:
    """Return the positions since a ply, the rows of the moves that they change, and the rolls that wait for a move."""
    if since == match.ply:
        return {"positions": [], "rows_since": since, "rows": "", "rolls": None}
    latest = _recall(match)
    if since in latest.changes:
        return latest.changes[since]
    end = _find_end(match, latest, since)
    stages = stages_since(match, end) if end else []
    if not stages:
        end, stages = None, stages_since(match, before_first_row(match))
    changes, last = _make(match, stages, since, end)
    ends = {each.ply: each for each in (*latest.ends, last)}
    kept = sorted(ends)[-MAX_REMEMBERED:]
    made = {**latest.changes, since: changes} if since >= match.ply - MAX_BEHIND else latest.changes
    _remember(match, Latest(match.ply, match.chain, made, tuple(ends[ply] for ply in kept)))
    return changes


def _find_end(match: Match, latest: Latest, since: int) -> RowsEnd | None:
    """Return the last place from which the rows of all that has happened since a ply can be listed."""
    ends = [end for end in latest.ends if end.ply <= since]
    if ends:
        return ends[-1]
    end = recall_latest_rows(match)
    return end if end and end.ply <= since else None


def _make(match: Match, stages: Sequence[Stage], since: int, end: RowsEnd | None) -> tuple[dict[str, Any], RowsEnd]:
    listed = list_move_rows(stages, end)
    if end and listed.unpaired_since is not None:
        stages = stages_since(match, before_first_row(match))
        end, listed = None, list_move_rows(stages)
    # Where several rows stood in pairs and do so no longer, all of them are others.
    was_paired = listed.unpaired_since is not None and listed.unpaired_since > since
    rows_since = 0 if was_paired and sum(row.ply < since for row in listed.rows) > 1 else since
    rows = list(_entries_since(listed.rows, rows_since))
    # After a set-up there may be many rolls, as a kick-off is rolled for again where both sides are level.
    last = last_action(stages)
    first = max(since, min(match.ply - MAX_POSITIONS, last.move.ply if last else match.ply))
    new = [stage for stage in stages if stage.move.ply >= first]
    family, rolls = match.rules.family, waiting_rolls(stages)
    roll_template = f"boards/{family}/roll.html"
    changes = {
        "positions": positions_to_json(match.rules, new, from_complete=first > since),
        "rows_since": rows_since,
        "rows": render_rows(family, rows),
        "rolls": render_compactly("matches/parts/rolls.html", {"roll_template": roll_template, "rolls": rolls})
        if rolls
        else "",
    }
    # As plain texts, whatever the cache makes of the engine's sentences.
    return json.loads(json.dumps(changes)), end_of_rows(match, stages, listed, end)


def _entries_since(rows: Sequence[Row], since: int) -> Iterator[Row]:
    """Yield the rows with what has come into them since a ply."""
    for row in rows:
        cells = row.cells.map(lambda cell: [entry for entry in cell if entry.after > since])
        if any(cells):
            yield replace(row, cells=cells)


def _recall(match: Match) -> Latest:
    """Return what is remembered of a match as it is now."""

    def read(found: dict[str, Any]) -> Latest:
        is_now = (found["ply"], found["chain"]) == (match.ply, match.chain)
        ends = tuple(map(read_rows_end, found["ends"]))
        return Latest(match.ply, match.chain, dict(found["changes"]) if is_now else {}, ends)

    return recall(_key(match), read) or Latest(match.ply, match.chain, {}, ())


def _remember(match: Match, latest: Latest) -> None:
    """Keep updates of a match, as plain values, for others who watch."""
    ends = list(map(write_rows_end, latest.ends))
    remember(_key(match), {"ply": latest.ply, "chain": latest.chain, "changes": latest.changes, "ends": ends})


def _key(match: Match) -> str:
    return f"match-update:{match.pk}"


def _ply(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
