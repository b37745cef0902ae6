"""News for every page: how many matches wait for the player, and which of their games were taken."""

from datetime import timedelta

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from database.clock import current_moment
from matches.selectors.matches import count_matches_to_move
from matches.selectors.seeks import recently_taken_seeks
from matches.selectors.site_pauses import find_site_pause
from matches.sentences import matches_to_move_text
from players.current_player import current_player

RECENT = timedelta(minutes=5)

MILLISECOND = timedelta(milliseconds=1)


@never_cache
@require_safe
def turns(request: HttpRequest) -> JsonResponse:
    """Return how many matches wait for the player, and which of their seeks were taken in the last minutes.

    The ``age`` of each is in milliseconds: the clocks of browsers may be wrong. ``pause`` is HTML while the site is
    paused.
    """
    player, pause = current_player(request), find_site_pause()
    banner = "" if pause is None else render_to_string("parts/site_pause.html", {"pause": pause})
    if player is None:
        return JsonResponse(
            {"player": None, "count": 0, "label": matches_to_move_text(0), "taken": [], "pause": banner}
        )
    count = count_matches_to_move(player)
    now = current_moment()
    taken = recently_taken_seeks(player, since=now - RECENT)
    return JsonResponse(
        {
            "player": player.pk,
            "count": count,
            "label": matches_to_move_text(count),
            "taken": [
                {"seek": seek_id, "match": match_id, "age": (now - taken_at) // MILLISECOND}
                for seek_id, match_id, taken_at in taken
            ],
            "pause": banner,
        }
    )
