"""The first page, and the button that starts a match against the computer."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from database.clock import current_moment
from matches.errors import TooManyComputerMatches
from matches.forms import ComputerForm
from matches.models import Match
from matches.selectors.matches import MAX_LISTED, first_running, latest_finished, lively_matches
from matches.selectors.rated_games import casual_seeks
from matches.selectors.seeks import obstacles_to, seeks_to_take
from matches.services.computer_moves import play_against_computer
from matches.views.board import draw_board
from matches.views.game_picker import cards_of, usual_choice
from players.current_player import current_player, player_or_new_guest
from players.models import Player
from rules_engine.registry import GAMES
from rules_engine.values import Side

MAX_SEEKS = 5
PAST_SET_UP = 12
MAX_RECENT = 20
"""The number of recent matches that are considered for the live board."""

EXAMPLE = "play 17.1 yellow 4 d1,c3,f3,d7,b7 e10,f9,c5,f7,h6 e5 2-1 yellow"
"""The position on the live board of a site without matches."""


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Return the player's matches and the games they may join; for visitors an introduction with a live board."""
    player = current_player(request)
    if player is None:
        return _welcome(request)
    running = first_running(player)
    to_move = [match for match in running if _waits_for(match, player)]
    seeks = list(seeks_to_take(player, limit=MAX_SEEKS))
    form = ComputerForm(initial=usual_choice(player))
    context = {
        "running": running,
        "to_move": to_move,
        "waiting": [match for match in running if not _waits_for(match, player)],
        "finished": latest_finished(player),
        "invitations": [seek for seek in seeks if seek.invited_id],
        "seeks": [seek for seek in seeks if not seek.invited_id],
        "obstacles": obstacles_to(seeks, player),
        "casual": casual_seeks(seeks, player, now=current_moment()),
        "form": form,
        "cards": cards_of(form),
    }
    if len(to_move) < len(running) or len(running) < MAX_LISTED:
        # Those that wait come first: they are all here.
        context["number_to_move"] = len(to_move)
    return render(request, "matches/home.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_computer(request: HttpRequest) -> HttpResponse:
    """Start a match against the computer and redirect to it. A visitor becomes a guest."""
    usual = usual_choice(current_player(request))
    if request.method != "POST":
        return _offer_computer(request, ComputerForm(initial=usual))
    form = ComputerForm(usual | {"colour": Side.YELLOW} | request.POST.dict())
    if not form.is_valid():
        return _offer_computer(request, form, status=400)
    now = current_moment()
    try:
        with player_or_new_guest(request, now=now) as player:
            match = play_against_computer(player=player, **form.cleaned_data, now=now)
    except TooManyComputerMatches as refusal:
        return _offer_computer(request, form, refusal=refusal)
    return redirect(match)


def _offer_computer(
    request: HttpRequest, form: ComputerForm, *, status: int = 200, refusal: TooManyComputerMatches | None = None
) -> HttpResponse:
    """Return the page with the form; beside a refusal are the matches that the player can go on with."""
    context: dict[str, Any] = {"form": form, "cards": cards_of(form), "section": "play", "refusal": refusal}
    player = current_player(request)
    if refusal is not None and player is not None:
        context["running"] = first_running(player)
    return TemplateResponse(request, "matches/home_play.html", context, status=status)


def _waits_for(match: Match, player: Player) -> bool:
    return match.is_running and match.side == match.side_of(player.pk)


def _welcome(request: HttpRequest) -> HttpResponse:
    """Return the introduction with a live board, of the game in ``?game=`` if one is picked."""
    usual = next(iter(GAMES.values()))
    picked = GAMES.get(request.GET.get("game", ""))
    match = _match_to_show((picked or usual).family, of_others=picked is None)
    game = match.rules if match else picked or usual
    is_example = match is None and game.family == usual.family
    form = ComputerForm(initial=usual_choice(None) | {"game": (picked or game).key})
    context = {
        "match": match,
        "game_title": game.title,
        "stage": match.state.stage if match else "",
        "score": match.state.score if match else None,
        "is_example": is_example,
        "board": draw_board(
            match.state.picture() if match else (usual.read(EXAMPLE) if is_example else game.start()).picture()
        ),
        "board_template": f"boards/{game.family}.html",
        "how_template": f"boards/{game.family}/how.html",
        "family": game.family,
        "form": form,
        "cards": cards_of(form),
    }
    return render(request, "matches/welcome.html", context)


def _match_to_show(family: str, *, of_others: bool) -> Match | None:
    """Return the match past its set-up that changed last, of a family of games, or else one ``of_others``."""
    lately = list(lively_matches(ply=PAST_SET_UP)[:MAX_RECENT])
    own = next((match for match in lately if match.rules.family == family), None)
    return own or next(iter(lately if of_others else []), None)
