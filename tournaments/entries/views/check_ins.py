"""The button to check in before the start of a cup."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.current_player import require_player
from players.views.buttons import button
from tournaments.entries.services.check_ins import check_in
from tournaments.office.views import find_competition


@button
def check_in_to_cup(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in, and go back to the cup's page."""
    player = require_player(request)
    cup = find_competition("cup", slug, player)
    check_in(competition_id=cup.pk, player=player, now=timezone.now())
    messages.success(request, _("You are checked in."))
    return redirect(cup)
