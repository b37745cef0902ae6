"""The page for finding an opponent: open seeks, invitations, and the player's own seeks."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from database.clock import current_moment
from matches.errors import (
    GuestsNotRated,
    InvalidRatingRange,
    OwnSeek,
    RatedGamesUsedUp,
    TooManyComputerMatches,
    TooManyInvitations,
    TooManySeeks,
)
from matches.forms import ComputerForm, SeekForm
from matches.selectors.rated_games import casual_seeks
from matches.selectors.seeks import declined_lately, obstacles_to, own_seeks, seeks_to_take
from matches.services import seeks as services
from matches.views.game_picker import cards_of, usual_choice
from players.current_player import current_player, player_or_new_guest, require_player
from players.views.buttons import button
from rules_engine.registry import GAMES
from web.errors import BudgetSpent, DomainError

MAX_SHOWN = 100
FIELD_AT_FAULT: dict[type[DomainError], str | None] = {
    OwnSeek: "invited",
    GuestsNotRated: "is_rated",
    RatedGamesUsedUp: "is_rated",
    InvalidRatingRange: "min_rating",
    TooManySeeks: None,
    TooManyInvitations: "invited",
    TooManyComputerMatches: "invited",
    BudgetSpent: None,
}
"""The fields beside which refusals are shown; ``None`` is above the form."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seeks(request: HttpRequest) -> HttpResponse:
    """Return the open seeks and the form for a new one; the player's invitations come first."""
    if request.method == "POST":
        return _open_seek(request)
    player = current_player(request)
    wish = {
        "game": next(iter(GAMES)),
        "invited": request.GET.get("invite", ""),
        "is_rated": player is not None and not player.is_guest,
    }
    return _show(request, SeekForm(initial=wish))


@require_POST
def take_seek(request: HttpRequest, seek_id: int) -> HttpResponse:
    """Take a seek and redirect to its match. A visitor becomes a guest."""
    now = current_moment()
    with player_or_new_guest(request, now=now) as player:
        match = services.take_seek(seek_id=seek_id, player=player, now=now)
    return redirect(match)


@button
def withdraw_seek(request: HttpRequest, seek_id: int) -> HttpResponse:
    """Withdraw the player's own seek."""
    services.withdraw_seek(seek_id=seek_id, player=require_player(request))
    messages.success(request, _("You have withdrawn your game."))
    return redirect("seeks")


@button
def decline_seek(request: HttpRequest, seek_id: int) -> HttpResponse:
    """Decline an invitation."""
    services.decline_seek(seek_id=seek_id, player=require_player(request))
    messages.success(request, _("You have declined the invitation."))
    return redirect("seeks")


def _open_seek(request: HttpRequest) -> HttpResponse:
    form = SeekForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=400)
    now = current_moment()
    cleaned = form.cleaned_data
    try:
        with player_or_new_guest(request, now=now) as creator:
            seek = services.open_seek(
                creator=creator,
                game=cleaned["game"],
                colour=cleaned["colour"],
                time_control=cleaned["time_control"],
                invited=cleaned["invited"],
                is_rated=cleaned["is_rated"],
                min_rating=cleaned["min_rating"],
                max_rating=cleaned["max_rating"],
                admits_computers=cleaned["admits_computers"],
                now=now,
            )
    except tuple(FIELD_AT_FAULT) as refusal:
        form.add_error(FIELD_AT_FAULT[type(refusal)], refusal.reason)
        return _show(request, form, status=400)
    if seek.match is not None:
        return redirect(seek.match)
    if seek.invited is None:
        messages.success(request, _("You have posted a game."))
    else:
        messages.success(request, _("You have invited %(player)s.") % {"player": seek.invited.username})
    return redirect("seeks")


def _show(request: HttpRequest, form: SeekForm, status: int = 200) -> HttpResponse:
    player = current_player(request)
    takeable = list(seeks_to_take(player, limit=MAX_SHOWN))
    computer_form = ComputerForm(auto_id="computer_%s", initial=usual_choice(player))
    context = {
        "section": "play",
        "invitations": [seek for seek in takeable if seek.invited_id is not None],
        "open_seeks": [seek for seek in takeable if seek.invited_id is None],
        "obstacles": obstacles_to(takeable, player),
        "casual": casual_seeks(takeable, player, now=current_moment()),
        "own": own_seeks(player)[:MAX_SHOWN] if player else [],
        "declined": declined_lately(player, now=current_moment())[:MAX_SHOWN] if player else [],
        "form": form,
        "cards": cards_of(form),
        "computer_form": computer_form,
        "computer_cards": cards_of(computer_form),
    }
    return render(request, "matches/seeks.html", context, status=status)
