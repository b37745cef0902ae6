"""Positions for the match page's script: those that a move would lead to, and earlier ones."""

from __future__ import annotations

from copy import copy

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.errors import MatchNotFound, NotYourTurn, refusals_of
from matches.models import Actor, Match
from matches.schemas.steps import StepSchema, step_tree_to_json, steps_to_json
from matches.schemas.values import numbers_to_json
from matches.selectors.matches import get_match
from matches.selectors.replay import Stage, replay
from matches.sentences import move_sentence
from matches.services.moves import check_turn
from matches.views.board import draw_trail, drawing_to_json, picture_after, trail_to_json
from matches.views.rolls import draw_roll
from players.current_player import current_player
from rules_engine.description import summarise

MAX_ACTIONS = 10
A_DAY = 86400


@never_cache
@require_safe
def look_ahead(request: HttpRequest, match_id: int) -> JsonResponse:
    """Return the position after ``?text=`` (one for each action): the drawing, the last trail, the next steps.

    With ``&prefix=`` the steps are those that follow it in the next action, and no others. Nothing is stored, and only
    the viewer's own actions are played: no dice are rolled.
    """
    match = get_match(match_id)
    player = current_player(request)
    side = match.side_of(player.pk if player else None)
    future, trail = copy(match), None
    if texts := request.GET.getlist("text")[:MAX_ACTIONS]:
        check_turn(match, side)
    for text in texts:
        state = future.state
        if state.turn != side:
            raise NotYourTurn(_("Your turn ends before this."))
        with refusals_of(match.game):
            trail = draw_trail(state, text)
            future.position = str(state.play(text))
    # A goal ends the input even if the same side acts next, so that its player sees it and confirms the move.
    scored = future.state.score != match.state.score
    goes_on = side is not None and future.state.turn == side and side == match.side and not scored
    return JsonResponse(
        {
            "drawing": drawing_to_json(future.state.picture()),
            "task": future.state.task,
            "trail": trail_to_json(trail) if trail else None,
            "steps": _steps_of(future, request.GET.get("prefix", "")) if goes_on else {},
        }
    )


def _steps_of(match: Match, prefix: str) -> dict[str, list[StepSchema]]:
    """Return the steps that follow a prefix, by that prefix; without one the tree of all, as far as it is sent."""
    return {prefix: steps_to_json(match, prefix)["steps"]} if prefix else step_tree_to_json(match)["steps"]


@require_safe
def look_back(request: HttpRequest, match_id: int, ply: int) -> JsonResponse:
    """Return the position after ``ply`` moves, with the player, text and trail of the last one. It never changes.

    ``next`` is the board as the next move finds it where the last one has cleared it, else null; ``roll`` the HTML of
    a roll that was a side's, and not for its move.
    """
    match = get_match(match_id)
    stages = list(replay(match, match.moves.filter(ply__lt=ply)))
    if ply > match.ply:
        raise MatchNotFound(_("The match has not reached this move yet."))
    last = stages[-1] if stages else None
    state = last.after if last else match.rules.start()
    acted = last if last and last.move.actor != Actor.CHANCE else None
    trail = draw_trail(acted.before, acted.move.text) if acted else None
    now = state.picture()
    seen = picture_after(last) if last else now
    response = JsonResponse(
        {
            "ply": ply,
            "stage": state.stage,
            "score": numbers_to_json(state.score),
            "in_words": list(summarise(state)),
            "drawing": drawing_to_json(seen),
            "next": drawing_to_json(now) if now != seen else None,
            "actor": last.move.actor if last else None,
            "text": last.move.text if last else None,
            "sentence": move_sentence(last) if last else "",
            "trail": trail_to_json(trail) if trail else None,
            "roll": _render_roll(match, last) if last and last.move.actor == Actor.CHANCE else None,
        }
    )
    patch_cache_control(response, private=True, max_age=A_DAY)
    return response


def _render_roll(match: Match, stage: Stage) -> str | None:
    roll = draw_roll(stage.before, stage.move.text)
    return render_to_string(f"boards/{match.rules.family}/roll.html", {"roll": roll}) if roll.sides else None
