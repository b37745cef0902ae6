"""The buttons to join and to leave a ladder or a cup."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.current_player import require_player
from players.views.buttons import button
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.models import CompetitionKind, EntryStatus
from tournaments.office.selectors.organisers import may_see
from tournaments.office.selectors.own_entries import find_own_entry
from tournaments.office.views import find_competition
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
        now=timezone.now(),
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
    left = leave_competition(entry_id=entry.pk, now=timezone.now())
    if left is not None and left.status == EntryStatus.ON_HOLD:
        messages.success(request, _("You will leave when your running games are over. They will count."))
    else:
        messages.success(request, _("You have left."))
    return redirect(competition if may_see(competition=competition, player=player) else f"{kind}s")
