"""Play with a friend: a link by which one person takes a game, without an account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from database.clock import current_moment
from matches.errors import GuestsNotRated, SeekClosed, TooManySeeks
from matches.forms import TimedGameForm
from matches.seek_links import draw_code, link_to, path_to
from matches.selectors.rated_games import casual_seeks
from matches.selectors.seeks import find_linked_seek, obstacles_to
from matches.services import seeks as services
from matches.views.board import draw_board
from matches.views.game_picker import cards_of
from players.current_player import current_player, player_or_new_guest
from rules_engine.registry import GAMES, get_game
from web.errors import BudgetSpent, DomainError

FIELD_AT_FAULT: dict[type[DomainError], str | None] = {
    GuestsNotRated: "is_rated",
    TooManySeeks: None,
    BudgetSpent: None,
}
"""The fields beside which refusals are shown; ``None`` is above the form."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invite_friend(request: HttpRequest) -> HttpResponse:
    """Return the form for a game with a friend, or redirect to the game that was made by it."""
    if request.method != "POST":
        return _show_form(request, TimedGameForm(initial={"game": next(iter(GAMES))}))
    form = TimedGameForm(request.POST)
    if not form.is_valid():
        return _show_form(request, form, status=400)
    now = current_moment()
    wishes = {name: form.cleaned_data[name] for name in ("game", "colour", "time_control", "is_rated")}
    try:
        with player_or_new_guest(request, now=now) as creator:
            seek = services.open_seek(creator=creator, by_link=True, now=now, **wishes)
    except tuple(FIELD_AT_FAULT) as refusal:
        form.add_error(FIELD_AT_FAULT[type(refusal)], refusal.reason)
        return _show_form(request, form, status=400)
    return redirect(path_to(seek.pk))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def friend_game(request: HttpRequest, token: str) -> HttpResponse:
    """Show a game to who has its link, and how to pass the link on to who made it; a POST takes the game.

    A visitor who takes it becomes a guest. A GET takes nothing, as previews of links send one.
    """
    if request.method != "POST":
        return _show_game(request, token)
    now = current_moment()
    try:
        with player_or_new_guest(request, now=now) as player:
            match = services.take_by_link(token=token, player=player, now=now)
    except SeekClosed:
        return _show_game(request, token, status=409)
    return redirect(match)


def _show_form(request: HttpRequest, form: TimedGameForm, status: int = 200) -> HttpResponse:
    return render(
        request, "matches/friend_form.html", {"section": "play", "form": form, "cards": cards_of(form)}, status=status
    )


def _show_game(request: HttpRequest, token: str, status: int = 200) -> HttpResponse:
    seek, viewer = find_linked_seek(token), current_player(request)
    if seek.match is not None and viewer is not None and seek.match.side_of(viewer.pk) is not None:
        return redirect(seek.match)
    link = link_to(seek.pk)
    mine = viewer is not None and seek.creator_id == viewer.pk
    game = get_game(seek.game)
    casual = casual_seeks([seek], viewer, now=current_moment())
    context = {
        "seek": seek,
        "mine": mine,
        "link": link,
        "code": draw_code(link) if mine else "",
        "obstacle": obstacles_to([seek], viewer).get(seek.pk),
        "is_rated": seek.is_rated and viewer is not None and seek.pk not in casual,
        "board": draw_board(game.start().picture()),
        "board_template": f"boards/{game.family}.html",
        "family": game.family,
    }
    return render(request, "matches/friend_game.html", context, status=status)
