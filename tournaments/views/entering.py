"""Entering and leaving a ladder or a cup."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.addresses import client_network
from players.views.buttons import button
from tournaments.errors import EntryNotFound
from tournaments.models import EntryStatus
from tournaments.services.entries.entering import enter_event
from tournaments.services.entries.leaving import leave_event
from tournaments.views.event import find_entry, find_event, member_of


@button
def enter(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Enter the event, or get games again after a pause, and go back to its page."""
    player = member_of(request)
    event = find_event(kind, slug, player)
    enter_event(
        event_id=event.pk,
        player=player,
        password=request.POST.get("password", ""),
        address=client_network(request),
        now=timezone.now(),
    )
    messages.success(request, _("You are in."))
    return redirect(event)


@button
def leave(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Leave the event and go back to its page."""
    player = member_of(request)
    event = find_event(kind, slug, player)
    entry = find_entry(event, player)
    if entry is None:
        raise EntryNotFound("You have not entered this event.")
    left = leave_event(entry_id=entry.pk, now=timezone.now())
    if left is not None and left.status == EntryStatus.ON_HOLD:
        messages.success(request, _("You leave when your running games are over. They count."))
    else:
        messages.success(request, _("You have left."))
    return redirect(event)
