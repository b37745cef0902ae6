"""Positions for the match page's script: those that a move would lead to, and earlier ones.

The URL of earlier ones names the match by the seal of its dice, the stretch and how positions are written, so that its
answer never changes and browsers keep it.
"""

from copy import copy
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.errors import MatchNotFound, NotYourTurn, refusals_of
from matches.models import Match
from matches.schemas.steps import StepSchema, step_tree_to_json, steps_to_json
from matches.schemas.values import side_to_json
from matches.selectors.matches import get_match
from matches.selectors.replay import replay
from matches.services.conditional_answers import MAX_LINE_ACTIONS
from matches.services.moves import check_turn
from matches.views.board import Trail, draw_trail, drawing_to_json, trail_to_json
from matches.views.position_changes import positions_to_json, start_to_json
from players.current_player import current_player
from rules_engine.values import Side

MAX_ACTIONS = 10

LINE = "line"
"""Names, in a URL, what is no kind of decision."""

STRETCH_LENGTH = 30
"""Positions are sent in stretches, which begin at multiples of this and have at most so many of them."""

POSITIONS_VERSION = 1
"""Raise it when positions are written in another way: browsers keep those of the version before for good."""

FOR_GOOD: dict[str, Any] = {"max_age": 31_536_000, "immutable": True}


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
            future.state = state.play(text)
    # A goal ends the input even if the same side acts next, so that its player sees it and confirms the move.
    scored = future.state.score != match.state.score
    goes_on = side is not None and future.state.turn == side and side == match.side and not scored
    return JsonResponse(_ahead_to_json(future, trail, _steps_of(request, future) if goes_on else {}))


@never_cache
@require_safe
def try_answer(request: HttpRequest, match_id: int, kind: str) -> JsonResponse:
    """Return what ``look_ahead`` returns, for an answer to be given beforehand, with the side whose turn it is then.

    The actions are those of a ``line`` of both sides, else the own ones at a decision of a kind. No dice are rolled.
    """
    match, player = get_match(match_id), current_player(request)
    side = match.side_of(player.pk if player else None)
    rehearsed = match.state if kind == LINE else match.state.rehearsals(side).get(kind) if side else None
    if side is None or rehearsed is None:
        raise MatchNotFound(_("There is nothing like it to answer."))
    future, trail = copy(match), None
    future.state = rehearsed
    for text in request.GET.getlist("text")[:MAX_LINE_ACTIONS]:
        state = future.state
        with refusals_of(match.game):
            after = state.play(text)
            trail = draw_trail(state, text)
        future.state = after
    turn = future.state.turn
    goes_on = isinstance(turn, Side) if kind == LINE else turn is side
    steps = _steps_of(request, future) if goes_on else {}
    return JsonResponse({**_ahead_to_json(future, trail, steps), "turn": side_to_json(turn if goes_on else None)})


def _ahead_to_json(future: Match, trail: Trail | None, steps: dict[str, list[StepSchema]]) -> dict[str, Any]:
    return {
        "drawing": drawing_to_json(future.state.picture()),
        "task": future.state.task,
        "trail": trail_to_json(trail) if trail else None,
        "steps": steps,
    }


def _steps_of(request: HttpRequest, match: Match) -> dict[str, list[StepSchema]]:
    """Return the steps that follow the request's prefix; without one the tree of all, as far as it is sent."""
    prefix = request.GET.get("prefix", "")
    return {prefix: steps_to_json(match, prefix)["steps"]} if prefix else step_tree_to_json(match)["steps"]


@require_safe
def position_stretch(request: HttpRequest, match_id: int, version: str, first: int, last: int) -> JsonResponse:
    """Return the positions after ``first`` to ``last`` moves, each with the sentence and the trail of its last move.

    The first is complete, the others are what differs from the one before. The answer to a URL of the present version
    never changes, so browsers may keep it for good.
    """
    match = get_match(match_id)
    if last > match.ply:
        raise MatchNotFound(_("The match has not reached this move yet."))
    if not first <= last < first - first % STRETCH_LENGTH + STRETCH_LENGTH:
        raise MatchNotFound(_("There are no such positions."))
    stages = list(replay(match, match.moves.filter(ply__lt=last)))
    shown = stages[max(first - 1, 0) :]
    positions = positions_to_json(match.rules, shown, from_complete=first > 0)
    if first == 0:
        positions.insert(0, start_to_json(match.rules.start()))
    response = JsonResponse({"positions": positions})
    patch_cache_control(
        response, private=True, **(FOR_GOOD if version == positions_version(match) else {"no_cache": True})
    )
    return response


def positions_version(match: Match) -> str:
    """Return what names the form of the positions in their URLs, and with the match's number its history."""
    return f"{POSITIONS_VERSION}-{match.commitment[:16]}-{match.take_backs}"
