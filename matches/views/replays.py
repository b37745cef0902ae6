"""The page that replays a match played elsewhere from its text. Nothing is stored."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.errors import RefusedMove, TooManyPlies, UnreadableMove
from matches.forms import ReplayForm
from matches.interchange import Replay, replay_text
from matches.models import Actor
from matches.schemas.values import numbers_to_json
from matches.sentences import board_label, board_label_pattern, move_sentence
from matches.views.board import (
    draw_board,
    draw_trail,
    drawing_to_json,
    lines_to_json,
    picture_after,
    pieces_to_json,
    trail_to_json,
)
from matches.views.timeline import list_rows
from rules_engine.description import summarise
from rules_engine.picture import Picture
from rules_engine.protocol import State
from rules_engine.values import Side
from web.allowances import spend_page_allowance


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def replay_page(request: HttpRequest) -> HttpResponse:
    """Return the form for a text; when one is posted, the match in it, position by position."""
    if request.method != "POST":
        return _show(request, ReplayForm(initial={"game": request.GET.get("game", "")}))
    spend_page_allowance(request, "replays")
    form = ReplayForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=400)
    cleaned = form.cleaned_data
    try:
        replay = replay_text(game=cleaned["game"], text=cleaned["text"])
    except RefusedMove as refusal:
        form.add_error("text", f"{refusal.rule}: {refusal.reason}")
        return _show(request, form, status=422)
    except TooManyPlies as refusal:
        form.add_error("text", refusal.reason)
        return _show(request, form, status=422)
    except UnreadableMove as refusal:
        form.add_error("text", refusal.reason)
        return _show(request, form, status=400)
    ply = cleaned["ply"]
    return _show(request, form, **_replay_context(replay, len(replay.stages) if ply is None else ply))


def _show(request: HttpRequest, form: ReplayForm, *, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "matches/replay.html", {"section": "play", "form": form, **more}, status=status)


def _replay_context(replay: Replay, ply: int) -> dict[str, Any]:
    shown = min(ply, len(replay.stages))
    stage = replay.stages[shown - 1] if shown else None
    state = replay.states[shown]
    tags = replay.record.tags
    return {
        "replay": replay,
        "total": len(replay.stages),
        "shown_ply": shown,
        "names": {side.value: tags.get(side.value.capitalize(), "") for side in Side},
        "score": state.score,
        "stage": state.stage,
        "rows": list_rows(replay.stages),
        "roll_template": f"boards/{replay.game.family}/roll.html",
        "moves_template": f"boards/{replay.game.family}/moves.html",
        "board_template": f"boards/{replay.game.family}.html",
        "board": draw_board(
            picture_after(stage) if stage else state.picture(),
            summary=board_label(state),
        ),
        "in_words": summarise(state),
        "page_data": {"shown": shown, "positions": _positions(replay), "texts": {"board": board_label_pattern()}},
    }


def _positions(replay: Replay) -> list[dict[str, Any]]:
    """Return each position for the page's script: of its drawing only what differs from the one before.

    A sentence that is the same as the one in its place before is ``None``. A move that has drawn lines has no trail.
    """
    seen, said = replay.states[0].picture(), summarise(replay.states[0])
    pieces = pieces_to_json(seen)
    positions = [
        {
            **_describe(replay.states[0]),
            "drawing": drawing_to_json(seen),
            "in_words": said,
            "sentence": "",
            "trail": None,
        }
    ]
    for stage in replay.stages:
        picture, in_words = picture_after(stage), summarise(stage.after)
        kept = _kept(seen, picture)
        moved = stage.move.actor != Actor.CHANCE and len(picture.segments) == kept
        trail = draw_trail(stage.before, stage.move.text) if moved else None
        before, pieces = pieces, pieces_to_json(picture)
        positions.append(
            {
                **_describe(stage.after),
                "drawing": {
                    **{name: _changed(value, before[name]) for name, value in pieces.items() if value != before[name]},
                    "kept": kept,
                    "lines": lines_to_json(picture, picture.segments[kept:]),
                    "latest": len(picture.latest),
                },
                "in_words": [None if line in said[at : at + 1] else line for at, line in enumerate(in_words)],
                "sentence": move_sentence(stage),
                "trail": trail_to_json(trail) if trail else None,
            }
        )
        seen, said = picture, in_words
    return positions


def _describe(state: State) -> dict[str, Any]:
    return {"stage": state.stage, "score": numbers_to_json(state.score)}


def _kept(before: Picture, after: Picture) -> int:
    """Return how many lines of a picture the next picture begins with: all or none."""
    return len(before.segments) if after.segments[: len(before.segments)] == before.segments else 0


def _changed(value: Any, before: Any) -> Any:
    """Return a value, or those of named values that differ from the ones before."""
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if each != before[name]}
