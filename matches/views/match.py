"""The match page and its buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from matches.errors import UnreadableMove
from matches.forms import MoveForm
from matches.models import Match
from matches.selectors.matches import get_match
from matches.services.moves import play_move
from matches.services.rematches import offer_rematch
from matches.services.resignation import resign as resign_match
from matches.views.match_context import match_context, panels_context
from players.current_player import current_player, require_player
from players.views.buttons import button
from web.errors import DomainError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the match page; ``?ply=`` shows the position after that many moves, ``?rows=all`` lists all moves.

    A form may post a move.
    """
    if request.method == "POST":
        return _play(request, match_id)
    return _show(request, get_match(match_id), shown=_ply_to_show(request), has_all_rows=_wants_all_rows(request))


@never_cache
@require_safe
def match_panels(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the panels with result, moves and facts, for the page's script; ``?rows=all`` lists all moves."""
    match = get_match(match_id)
    context = panels_context(match, current_player(request), has_all_rows=_wants_all_rows(request))
    return render(request, "matches/parts/panels.html", context)


@button
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Resign the match."""
    return redirect(resign_match(match_id=match_id, player=require_player(request), now=timezone.now()))


@button
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Offer a rematch, or redirect to it if the opponent has offered one too."""
    seek = offer_rematch(match_id=match_id, player=require_player(request), now=timezone.now())
    if seek.match is not None:
        return redirect(seek.match)
    messages.success(request, _("You have offered a rematch. It starts when your opponent accepts."))
    return redirect("match", match_id)


def _play(request: HttpRequest, match_id: int) -> HttpResponse:
    match = get_match(match_id)
    player = current_player(request)
    if player is None:
        return redirect_to_login(match.get_absolute_url())
    form = MoveForm(request.POST)
    try:
        if not form.is_valid():
            raise UnreadableMove(_("This cannot be read as a move."))
        played = play_move(match_id=match_id, player=player, **form.cleaned_data, now=timezone.now())
    except DomainError as refusal:
        return _show(request, match, refusal=refusal, typed=request.POST.get("text", ""))
    return redirect(played.match)


def _show(
    request: HttpRequest, match: Match, *, shown: int | None = None, has_all_rows: bool = False, **more: Any
) -> HttpResponse:
    context: Mapping[str, Any] = match_context(match, current_player(request), shown=shown, has_all_rows=has_all_rows)
    url = request.build_absolute_uri(match.get_absolute_url())
    return TemplateResponse(request, "matches/match.html", {**context, "url": url, **more})


def _wants_all_rows(request: HttpRequest) -> bool:
    return request.GET.get("rows") == "all"


def _ply_to_show(request: HttpRequest) -> int | None:
    ply = request.GET.get("ply", "")
    return int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 6 else None
