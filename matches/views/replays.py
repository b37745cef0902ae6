"""The page that replays a match played elsewhere from its text. Nothing is stored."""

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
from matches.views.board import draw_board, draw_trail, picture_after, trail_to_json
from matches.views.position_changes import changed_drawing, changed_words, start_to_json
from matches.views.rendered_rows import render_rows
from matches.views.timeline import list_rows
from rules_engine.description import summarise
from rules_engine.values import Side
from web.limits.table import REQUESTS
from web.requests.client_ip import client_network


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def replay_page(request: HttpRequest) -> HttpResponse:
    """Return the form for a text; when one is posted, the match in it, position by position."""
    if request.method != "POST":
        return _show(request, ReplayForm(initial={"game": request.GET.get("game", "")}))
    REQUESTS["replays"].of(client_network(request)).spend()
    form = ReplayForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=400)
    cleaned = form.cleaned_data
    try:
        replay = replay_text(game=cleaned["game"], text=cleaned["text"], number=cleaned["number"] or 1)
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
        "rows": render_rows(replay.game.family, list_rows(replay.stages), shown=shown),
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
    """Return each position for the page's script, as what differs from the one before.

    A move that has drawn lines has no trail.
    """
    seen, said = replay.states[0].picture(), list(summarise(replay.states[0]))
    positions = [start_to_json(replay.states[0])]
    for stage in replay.stages:
        picture, in_words = picture_after(stage), list(summarise(stage.after))
        drawing = changed_drawing(picture, seen)
        moved = stage.move.actor != Actor.CHANCE and not drawing["lines"]
        trail = draw_trail(stage.before, stage.move.text) if moved else None
        positions.append(
            {
                "stage": stage.after.stage,
                "score": numbers_to_json(stage.after.score),
                "drawing": drawing,
                "in_words": changed_words(in_words, said),
                "sentence": move_sentence(stage),
                "trail": trail_to_json(trail) if trail else None,
            }
        )
        seen, said = picture, in_words
    return positions
