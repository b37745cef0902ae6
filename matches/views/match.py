"""The match page and its buttons."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from database.clock import current_moment
from matches.clock import MAX_DRAWN
from matches.errors import UnreadableMove
from matches.forms import MoveForm
from matches.models import Match, Status
from matches.schemas.match import Viewer
from matches.schemas.values import side_to_json, time_control_to_json
from matches.selectors.matches import get_match
from matches.selectors.replay import last_action, replay
from matches.selectors.site_pauses import find_site_pause
from matches.sentences import (
    board_label,
    board_label_pattern,
    ending_sentence,
    first_move_text,
    format_time_control,
    format_time_left,
    paused_sentence,
    turn_headline,
    vacation_text,
    waiting_pattern,
    waiting_sentence,
)
from matches.services.by_itself import play_by_hand
from matches.services.moves import play_move
from matches.services.openings import note_opening
from matches.services.rematches import offer_rematch
from matches.services.resignation import resign as resign_match
from matches.views.board import draw_board, draw_trail, drawing_to_json, picture_after, trail_to_json
from matches.views.conditional_answers import beforehand_of
from matches.views.latest_rows import LatestRows
from matches.views.offers import offers_of
from matches.views.positions import STRETCH_LENGTH, positions_version
from matches.views.rematches import rematch_of
from matches.views.rendered_rows import RenderedRows, latest_rendered_rows, render_all
from matches.views.rolls import waiting_rolls
from matches.views.timeline import list_rows
from matches.views.updates import choices_to_json, match_state_to_json, may_move
from players.current_player import current_player, require_player
from players.forms import SignUpForm
from players.models import Player
from players.schemas import player_summary_to_json
from players.views.buttons import button
from rules_engine.description import summarise
from rules_engine.values import BySide, Side
from web.errors import DomainError
from web.pages.fragments import layout_of

API = "/api/v1/matches"


def match_context(
    match: Match, viewer: Viewer, *, shown: int | None = None, has_all_rows: bool = False
) -> dict[str, Any]:
    """Return the context of the whole page, showing the position after ``shown`` moves (``None``: the last).

    It has all rows of moves if an earlier position is shown, else the latest if they are enough.
    """
    shown = match.ply if shown is None else min(shown, match.ply)
    listed = _list_rows(match, shown, has_all=has_all_rows or shown < match.ply)
    stages = listed.stages
    you = match.side_of(viewer.pk if viewer else None)
    acts = may_move(match, you)
    now_in_words = list(summarise(match.state, is_over=match.status == Status.FINISHED))
    led_here = [stage for stage in stages if stage.move.ply < shown]
    position = led_here[-1].after if led_here else match.rules.start()
    last = last_action(led_here)
    reviewing = shown < match.ply
    return {
        **_panels(match, listed, viewer, shown),
        "match": match,
        "turn": match.side,
        "score": position.score,
        "stage": position.stage,
        "task": _task(match, you),
        "headline": " · ".join(
            [turn_headline(match, you), match.state.stage] if match.side else [turn_headline(match, you)]
        ),
        "clocks": _clocks(match),
        "your_turn": acts and not reviewing,
        "beforehand": None if reviewing else beforehand_of(match, you),
        "legal_moves": list(match.state.legal_moves()) if acts else [],
        "choices": [step for step in match.state.steps() if not step.space] if acts and not reviewing else [],
        "reviewing": reviewing,
        "board_template": f"boards/{match.rules.family}.html",
        "board": draw_board(
            picture_after(led_here[-1]) if reviewing and led_here else position.picture(),
            flipped=you is Side.RED,
            trail=draw_trail(last.before, last.move.text) if last else None,
            summary=board_label(position),
        ),
        "in_words": summarise(position) if reviewing else now_in_words,
        "page_data": {
            "match": {
                **match_state_to_json(match),
                "id": match.pk,
                "you": side_to_json(you),
                "players": {side.value: player_summary_to_json(match.players[side]) for side in Side},
                "time_control": time_control_to_json(match.time_control),
                "in_words": now_in_words,
            },
            "drawing": drawing_to_json(match.state.picture()),
            "in_words": list(summarise(match.state)),
            "trail": trail_to_json(draw_trail(now.before, now.move.text)) if (now := last_action(stages)) else None,
            **choices_to_json(match, you),
            "shown": shown,
            "stretch_length": STRETCH_LENGTH,
            "now": current_moment(),
            "urls": _urls(match),
            "texts": _texts(),
        },
    }


def panels_context(match: Match, viewer: Viewer, *, has_all_rows: bool = False) -> dict[str, Any]:
    """Return the context of the panels beside the board alone."""
    return {**_panels(match, _list_rows(match, match.ply, has_all=has_all_rows), viewer, match.ply), "match": match}


def _list_rows(match: Match, shown: int, *, has_all: bool) -> RenderedRows:
    if not has_all:
        return latest_rendered_rows(match)
    stages = list(replay(match, match.moves.all()))
    return render_all(match, LatestRows(list_rows(stages), stages), shown=shown)


def _panels(match: Match, listed: RenderedRows, viewer: Viewer, shown: int) -> dict[str, Any]:
    outcome = match.outcome
    you = match.side_of(viewer.pk if viewer else None)
    is_guest = isinstance(viewer, Player) and viewer.is_guest
    return {
        "keep_form": SignUpForm(auto_id="keep_%s") if outcome and you and is_guest else None,
        "you": you or "",
        "shown_ply": shown,
        "rows": listed.html,
        "has_earlier_rows": not listed.are_all,
        "rolls": waiting_rolls(listed.stages),
        "roll_template": f"boards/{match.rules.family}/roll.html",
        "moves_template": f"boards/{match.rules.family}/moves.html",
        "game_title": match.rules.title,
        "time_control": format_time_control(match.time_control),
        "max_drawn": MAX_DRAWN,
        "vacation": vacation_text(match),
        "first_move": first_move_text(match),
        "record_url": f"{API}/{match.pk}/record/",
        "rematch": rematch_of(match, you),
        "offers": offers_of(match, you),
        "can_resign": bool(you) and match.status == Status.PLAYING,
        "by_hand": match.by_hand[you] if you else False,
        "can_play_by_hand": you and match.status == Status.PLAYING and match.players[you].by_itself,
        "outcome": outcome
        and {
            "score": outcome.score,
            "ending": ending_sentence(outcome.ending),
        },
    }


def _task(match: Match, you: Side | None) -> str:
    """Return the sentence about what the viewer can do now."""
    if match.paused_at is not None:
        return paused_sentence(find_site_pause())
    return match.state.task if may_move(match, you) else waiting_sentence(match)


def _clocks(match: Match) -> BySide[str]:
    banks = match.banks
    if match.side:
        banks = banks.with_side(Side(match.side), match.clock.left(match.paused_at or current_moment()))
    return banks.map(format_time_left)


def _urls(match: Match) -> dict[str, str]:
    return {
        "match": f"{API}/{match.pk}/",
        "moves": f"{API}/{match.pk}/moves/",
        "panels": reverse("match-panels", args=[match.pk]),
        "updates": reverse("match-updates", args=[match.pk]),
        "ahead": reverse("match-ahead", args=[match.pk]),
        "positions": reverse("match-positions", args=[match.pk, positions_version(match), 0, 0]),
    }


def _texts() -> dict[str, Any]:
    """Return the texts of the page's scripts, which fill in ``{names}``."""
    return {
        "yours": _("Your turn"),
        "theirs": _("{name} to move"),
        "over": _("The match is over"),
        "follows": waiting_pattern(),
        "paused": paused_sentence(find_site_pause()),
        "confirm": _("Play this move, or choose another space."),
        "nowhere": _("You cannot move there."),
        "play": _("Play {move}"),
        "board": board_label_pattern(),
        "yellow": _("Yellow"),
        "red": _("Red"),
        "review": _("After move {ply} of {total}"),
        "copied": _("Copied"),
        "sending": _("Sending your move …"),
        "stored": _("Your move has been played. The page will show it when it can reach the server again."),
        "gone": _("Not connected since {time}"),
        "back": _("Connected again"),
        "offline": _("We cannot reach the server. Try again."),
        "units": {"d": _("d"), "h": _("h"), "min": _("min")},
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the match page; ``?ply=`` shows the position after that many moves, ``?rows=all`` lists all moves.

    A form may post a move.
    """
    if request.method == "POST":
        return _play(request, match_id)
    note_opening(match_id=match_id, player=current_player(request))
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
    return redirect(resign_match(match_id=match_id, player=require_player(request), now=current_moment()))


@button
def by_hand(request: HttpRequest, match_id: int) -> HttpResponse:
    """Store whether the player plays by hand in this match what leaves no choice."""
    return redirect(
        play_by_hand(
            match_id=match_id,
            player=require_player(request),
            by_hand=request.POST.get("by_hand") == "on",
            now=current_moment(),
        )
    )


@button
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Offer a rematch, or redirect to it if the opponent has offered one too."""
    seek = offer_rematch(match_id=match_id, player=require_player(request), now=current_moment())
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
        played = play_move(match_id=match_id, player=player, **form.cleaned_data, now=current_moment())
    except DomainError as refusal:
        return _show(request, match, refusal=refusal, typed=request.POST.get("text", ""))
    return redirect(played.match)


def _show(
    request: HttpRequest, match: Match, *, shown: int | None = None, has_all_rows: bool = False, **more: Any
) -> HttpResponse:
    context: Mapping[str, Any] = match_context(match, current_player(request), shown=shown, has_all_rows=has_all_rows)
    url = request.build_absolute_uri(match.get_absolute_url())
    return TemplateResponse(
        request, "matches/match.html", {**context, "layout": layout_of(request), "url": url, **more}
    )


def _wants_all_rows(request: HttpRequest) -> bool:
    return request.GET.get("rows") == "all"


def _ply_to_show(request: HttpRequest) -> int | None:
    ply = request.GET.get("ply", "")
    return int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 6 else None
