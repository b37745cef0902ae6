"""Buttons and forms of players: enter and leave, wait for a place, check in, and sit out a round."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import IntegerField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from database.clock import current_moment
from players.current_player import require_player
from players.models import Player
from players.views.buttons import button
from tournaments.entries.selectors.byes import find_bye_choice
from tournaments.entries.selectors.own_entry import find_entry
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.byes import request_bye, take_back_bye
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.waiting_list import join_waiting_list, leave_waiting_list
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.models import MAX_ROUND, Competition, CompetitionKind, Cup, Entry, EntryStatus
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.organisers import may_see
from tournaments.office.selectors.own_entries import find_own_entry
from tournaments.office.views import find_competition, sent_number
from tournaments.records.errors import RoundNotFound
from tournaments.running.selectors.waiting_lists import find_own_waiting
from web.requests.client_ip import client_network


@button
def enter(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Enter the competition, or get games again after a pause, and go back to its page."""
    player = require_player(request)
    competition = find_competition(kind, slug, player)
    enter_competition(
        competition_id=competition.pk,
        player=player,
        password=request.POST.get("password", ""),
        client_ip=client_network(request),
        now=current_moment(),
        version=sent_number(request, "version"),
    )
    messages.success(request, _("You have joined."))
    return redirect(competition)


@button
def leave(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Leave the competition and go back to its page, or to the list where it is hidden.

    A captain of several teams withdraws that in ``?team=``.
    """
    player = require_player(request)
    team = request.GET.get("team", "")
    entry = find_own_entry(slug=slug, player=player, kind=CompetitionKind(kind), team=team)
    competition = entry.competition
    left = leave_competition(entry_id=entry.pk, now=current_moment())
    if left is not None and left.status == EntryStatus.ON_HOLD:
        messages.success(request, _("You will leave when your running games are over. They will count."))
    else:
        messages.success(request, _("You have left."))
    return redirect(competition if may_see(competition=competition, player=player) else f"{kind}s")


@button
def ask_for_bye(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask to sit out the round that was chosen, and go back to the cup."""
    player = require_player(request)
    cup, entry = _find(slug, player)
    number = _read_round(request)
    request_bye(entry_id=entry.pk, round_number=number, actor=player, now=current_moment())
    messages.success(request, _("You will sit out round %(number)d.") % {"number": number})
    return redirect(cup)


@button
def cancel_bye(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the request back, and go back to the cup."""
    player = require_player(request)
    cup, entry = _find(slug, player)
    take_back_bye(entry_id=entry.pk, actor=player, now=current_moment())
    messages.success(request, _("You will play in every round."))
    return redirect(cup)


def bye_context(cup: Cup, entry: Entry | None) -> dict[str, Any]:
    """Return what the viewer can ask for and has asked for, where the cup has byes on request."""
    choice = None if entry is None else find_bye_choice(entry)
    return {
        "bye_choice": choice,
        "ask_bye_url": reverse("cup-bye", args=[cup.slug]),
        "take_back_bye_url": reverse("cup-take-back-bye", args=[cup.slug]),
    }


def _read_round(request: HttpRequest) -> int:
    try:
        number: int = IntegerField(min_value=1, max_value=MAX_ROUND).clean(request.POST.get("round"))
    except ValidationError:
        raise RoundNotFound(_("Choose the round that you want to sit out.")) from None
    return number


def _find(slug: str, player: Player) -> tuple[Competition, Entry]:
    cup = find_competition("cup", slug, player)
    entry = find_entry(cup, player)
    if entry is None:
        raise EntryNotFound(_("You have not joined this competition."))
    return cup, entry


@button
def wait(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Join the waiting list, and go back to the competition's page."""
    player = require_player(request)
    competition = find_competition(kind, slug, player)
    join_waiting_list(
        competition_id=competition.pk,
        player=player,
        password=request.POST.get("password", ""),
        client_ip=client_network(request),
        now=current_moment(),
        version=sent_number(request, "version"),
    )
    messages.success(request, _("You are on the waiting list."))
    return redirect(competition)


@button
def stop_waiting(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Leave the waiting list, and go back to the competition's page, or to the list where it is hidden."""
    player = require_player(request)
    waiting = find_own_waiting(slug=slug, player=player, kind=CompetitionKind(kind))
    competition = waiting.competition
    leave_waiting_list(competition_id=competition.pk, player=player, now=current_moment())
    messages.success(request, _("You have left the waiting list."))
    return redirect(competition if may_see(competition=competition, player=player) else f"{kind}s")


@button
def check_in_to_cup(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in, and go back to the cup's page."""
    player = require_player(request)
    cup = find_competition("cup", slug, player)
    check_in(competition_id=cup.pk, player=player, now=current_moment())
    messages.success(request, _("You are checked in."))
    return redirect(cup)
