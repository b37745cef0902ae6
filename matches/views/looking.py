"""Looking ahead and back from the match page: positions that might come, and positions that were."""

from __future__ import annotations

from copy import copy
from dataclasses import asdict

from django.http import HttpRequest, JsonResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.errors import MatchNotFound, NotYourTurn, refusals_of
from matches.models import Actor
from matches.schemas.picture import picture_to_json
from matches.schemas.position import position_to_json
from matches.schemas.steps import step_tree_to_json
from matches.selectors.matches import get_match
from matches.selectors.replay import replay
from matches.services.playing import check_turn
from matches.views.board import picture_after
from matches.views.visitors import player_of
from matches.wording import say_event
from rules_engine.picture import Route

MOST_ACTIONS = 10
A_DAY = 86400


@never_cache
@require_safe
def look_ahead(request: HttpRequest, match_id: int) -> JsonResponse:
    """What ``?text=`` (once for each action) would come to: the position, the last route, the next action's steps.

    Nothing is stored, and nothing beyond the viewer's own actions is looked at: no dice are rolled.
    """
    match = get_match(match_id)
    player = player_of(request)
    side = match.side_of(player.pk if player else None)
    future, route = copy(match), Route()
    if texts := request.GET.getlist("text")[:MOST_ACTIONS]:
        check_turn(match, side)
    for text in texts:
        state = future.state
        if state.turn != side:
            raise NotYourTurn(_("Your turn is over before this."))
        with refusals_of(match.game):
            route = state.route(text)
            future.position = str(state.play(text))
    # A goal ends what is put together, even if the same coach begins anew: it is to be confirmed, and to be seen.
    scored = future.state.score != match.state.score
    goes_on = side is not None and future.state.turn == side and side == match.side and not scored
    return JsonResponse(
        {
            **position_to_json(future.state, match.ply),
            "task": future.state.task,
            "route": asdict(route),
            "steps": step_tree_to_json(future)["steps"] if goes_on else {},
        }
    )


@require_safe
def look_back(request: HttpRequest, match_id: int, ply: int) -> JsonResponse:
    """The position after ``ply`` events, with the last one: who did what, and the way it took. It never changes.

    ``wiped`` says that the picture is the old board, because the last event began a new one.
    """
    match = get_match(match_id)
    stages = list(replay(match, match.moves.filter(ply__lt=ply)))
    if ply > match.ply:
        raise MatchNotFound(_("The match has not come so far."))
    last = stages[-1] if stages else None
    state = last.after if last else match.rules.start()
    acted = last is not None and last.move.actor != Actor.CHANCE
    picture = picture_after(last) if last else state.picture()
    response = JsonResponse(
        {
            **position_to_json(state, ply),
            "picture": picture_to_json(picture),
            "wiped": len(picture.segments) > len(state.picture().segments),
            "actor": last.move.actor if last else None,
            "text": last.move.text if last else None,
            "sentence": say_event(last) if last else "",
            "route": asdict(last.before.route(last.move.text)) if last and acted else None,
        }
    )
    patch_cache_control(response, private=True, max_age=A_DAY)
    return response
