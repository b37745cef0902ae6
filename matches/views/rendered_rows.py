"""The latest rows as HTML, made once for all who look: the next visitor reads, replays and renders none of them."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from matches.models import Actor, Match, Move
from matches.selectors.replay import Stage
from matches.views.latest_rows import LatestRows, latest_rows
from matches.views.remembered import recall, remember
from matches.views.timeline import Row

QUICKLY = 1
"""The level at which zlib compresses: rows become a tenth as long in a third of a millisecond."""

OF_MOVE = ("ply", "actor", "text", "is_drawn", "by_itself")
"""The fields of a move that its sentence is made of."""

_BETWEEN_PARTS = re.compile(r"> <(?=/?(?:rect|path|circle|tr|td|th)\b|/svg)")
"""White space that is never shown."""


@dataclass(frozen=True, slots=True)
class RenderedRows:
    """Rows as HTML, whether there are none before them, and the moves since a side's last one."""

    html: SafeString
    are_all: bool
    stages: Sequence[Stage]


def latest_rendered_rows(match: Match) -> RenderedRows:
    """Return the latest rows of a match at its last position. No query if somebody has looked since the last move."""
    key = f"match-last-rows:{match.pk}"

    def read(found: dict[str, Any]) -> RenderedRows | None:
        if (found["ply"], found["chain"]) != (match.ply, match.chain):
            return None
        html = mark_safe(zlib.decompress(found["html"]).decode())  # noqa: S308 - our own template's
        return RenderedRows(html, found["are_all"], _replay(match, found["since"], found["moves"]))

    return recall(key, read) or _make(match, key)


def render_all(match: Match, listed: LatestRows, *, shown: int) -> RenderedRows:
    """Return rows as they are shown beside the position after ``shown`` moves."""
    html = render_rows(match.rules.family, listed.rows, shown=shown)
    return RenderedRows(html, listed.are_all, listed.stages)


def render_rows(family: str, rows: Sequence[Row], *, shown: int | None = None) -> SafeString:
    """Return rows of a family of games as HTML; that of the position after ``shown`` moves is marked."""
    context = {"roll_template": f"boards/{family}/roll.html", "rows": rows, "shown_ply": shown}
    return render_compactly(f"boards/{family}/rows.html", context) if rows else SafeString()


def render_compactly(template: str, context: dict[str, Any]) -> SafeString:
    """Return HTML without the indentation of its template."""
    html = " ".join(render_to_string(template, context).split()).replace(" >", ">")
    return mark_safe(_BETWEEN_PARTS.sub("><", html))  # noqa: S308 - our own template's


def _make(match: Match, key: str) -> RenderedRows:
    made = render_all(match, latest_rows(match), shown=match.ply)
    last = next((at for at in reversed(range(len(made.stages))) if made.stages[at].move.actor != Actor.CHANCE), 0)
    tail = made.stages[last:]
    remember(
        key,
        {
            "ply": match.ply,
            "chain": match.chain,
            "html": zlib.compress(made.html.encode(), QUICKLY),
            "are_all": made.are_all,
            "since": (str(tail[0].before), tail[0].before.summary) if tail else (),
            "moves": [{name: getattr(stage.move, name) for name in OF_MOVE} for stage in tail],
        },
    )
    return made


def _replay(match: Match, since: Sequence[str], moves: Sequence[dict[str, Any]]) -> list[Stage]:
    """Return the last moves of a match between their states, from the position before them and its summary."""
    stages: list[Stage] = []
    for fields in moves:
        before = stages[-1].after if stages else match.rules.resume(*since)
        stages.append(Stage(Move(match=match, **fields), before, before.play(fields["text"])))
    return stages
