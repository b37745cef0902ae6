"""The matches that wait for the player, one after the other."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from database.clock import current_moment
from matches.models import Match
from matches.selectors.matches import matches_to_move, next_match_to_move, running_matches
from matches.sentences import board_label
from matches.skipped import read_skipped, with_skipped
from matches.views.board import draw_board
from players.current_player import require_player
from players.models import Player
from players.views.buttons import own_page
from rules_engine.registry import SPECS
from rules_engine.values import Side
from web.pages.fragments import layout_of

MAX_PICTURES = 24


@own_page
def my_turns(request: HttpRequest) -> HttpResponse:
    """Return the boards of the matches that wait for the player, the one with the least time first."""
    player = require_player(request)
    pictures = _pictures_of(matches_to_move(player)[:MAX_PICTURES], player)
    context = {"layout": layout_of(request), "most": MAX_PICTURES, **pictures}
    return render(request, "matches/my_turns.html", context)


@own_page
def offline(request: HttpRequest) -> HttpResponse:
    """Return the player's matches as the browser keeps them for when there is no connection."""
    player = require_player(request)
    running = list(running_matches(player)[:MAX_PICTURES])
    to_move = [match for match in running if match.is_running and match.player_to_act == player]
    waiting = [match for match in running if match not in to_move]
    with timezone.override(player.zone):
        context = {"now": current_moment(), "waiting": waiting, **_pictures_of(to_move, player)}
        return render(request, "matches/offline.html", context)


def _pictures_of(matches: Iterable[Match], player: Player) -> dict[str, Any]:
    """Return the boards of a player's matches, and what their drawing needs."""
    pictures = [
        {
            "match": match,
            "board": draw_board(
                match.state.picture(),
                flipped=match.side_of(player.pk) is Side.RED,
                summary=board_label(match.state),
            ),
        }
        for match in matches
    ]
    return {"pictures": pictures, "families": list(SPECS)}


@own_page
def next_turn(request: HttpRequest) -> HttpResponse:
    """Redirect to the match that waits with the least time; those in ``?skipped=`` come last."""
    skipped = read_skipped(request)
    match_id = next_match_to_move(require_player(request), skipped=skipped)
    if match_id is None:
        return redirect("my-turns")
    return redirect(with_skipped(reverse("match", args=[match_id]), skipped))
