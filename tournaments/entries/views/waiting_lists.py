"""The buttons to join and to leave the waiting list of a ladder or a cup."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.current_player import require_player
from players.views.buttons import button
from tournaments.entries.services.waiting_list import join_waiting_list, leave_waiting_list
from tournaments.models import CompetitionKind
from tournaments.office.selectors.organisers import may_see
from tournaments.office.views import find_competition
from tournaments.running.selectors.waiting_lists import find_own_waiting
from web.requests.client_ip import client_network


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
        now=timezone.now(),
    )
    messages.success(request, _("You are on the waiting list."))
    return redirect(competition)


@button
def stop_waiting(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Leave the waiting list, and go back to the competition's page, or to the list where it is hidden."""
    player = require_player(request)
    waiting = find_own_waiting(slug=slug, player=player, kind=CompetitionKind(kind))
    competition = waiting.competition
    leave_waiting_list(competition_id=competition.pk, player=player, now=timezone.now())
    messages.success(request, _("You have left the waiting list."))
    return redirect(competition if may_see(competition=competition, player=player) else f"{kind}s")
