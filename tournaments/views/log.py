"""The log of an event: everything that was announced and done, for its players to read."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.views.visitors import player_of
from tournaments.models import LogEntry
from tournaments.views.event import find_event

PAGE = 50


@never_cache
@require_safe
def event_log(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """The log of the ladder or cup, the latest first, by pages."""
    event = find_event(kind, slug, player_of(request))
    entries = LogEntry.objects.filter(event_id=event.pk).select_related("actor")
    page = Paginator(entries, PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/log.html", {"section": f"{kind}s", "event": event, "page": page})
