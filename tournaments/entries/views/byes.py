"""The form with which players ask to sit out a round of a cup."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import IntegerField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.current_player import require_player
from players.models import Player
from players.views.buttons import button
from tournaments.entries.selectors.byes import find_bye_choice
from tournaments.entries.selectors.own_entry import find_entry
from tournaments.entries.services.byes import request_bye, take_back_bye
from tournaments.models import MAX_ROUND, Competition, Cup, Entry
from tournaments.office.errors import EntryNotFound
from tournaments.office.views import find_competition
from tournaments.records.errors import RoundNotFound


@button
def ask_for_bye(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask to sit out the round that was chosen, and go back to the cup."""
    player = require_player(request)
    cup, entry = _find(slug, player)
    number = _read_round(request)
    request_bye(entry_id=entry.pk, round_number=number, actor=player, now=timezone.now())
    messages.success(request, _("You will sit out round %(number)d.") % {"number": number})
    return redirect(cup)


@button
def cancel_bye(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the request back, and go back to the cup."""
    player = require_player(request)
    cup, entry = _find(slug, player)
    take_back_bye(entry_id=entry.pk, actor=player, now=timezone.now())
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
