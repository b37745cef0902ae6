"""The matches that wait for the player, one after the other."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.selectors.matches import matches_to_move, next_match_to_move
from matches.sentences import board_label
from matches.skipped import read_skipped, with_skipped
from matches.views.board import draw_board
from players.current_player import require_player
from players.views.buttons import own_page
from rules_engine.registry import SPECS
from rules_engine.values import Side
from web.pages.fragments import layout_of

MAX_PICTURES = 24


@own_page
def my_turns(request: HttpRequest) -> HttpResponse:
    """Return the boards of the matches that wait for the player, the one with the least time first."""
    player = require_player(request)
    context = {
        "layout": layout_of(request),
        "pictures": [
            {
                "match": match,
                "board": draw_board(
                    match.state.picture(),
                    flipped=match.side_of(player.pk) is Side.RED,
                    summary=board_label(match.state),
                ),
            }
            for match in matches_to_move(player)[:MAX_PICTURES]
        ],
        "families": list(SPECS),
        "most": MAX_PICTURES,
    }
    return render(request, "matches/my_turns.html", context)


@own_page
def next_turn(request: HttpRequest) -> HttpResponse:
    """Redirect to the match that waits with the least time; those in ``?skipped=`` come last."""
    skipped = read_skipped(request)
    match_id = next_match_to_move(require_player(request), skipped=skipped)
    if match_id is None:
        return redirect("my-turns")
    return redirect(with_skipped(reverse("match", args=[match_id]), skipped))
