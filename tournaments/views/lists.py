"""The lists of ladders and of cups."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.models import ENDED, EventStatus
from tournaments.selectors.events import EventKind, list_events

PAGE = 20
MOST_CURRENT = 50


@never_cache
@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """Ladders: open for entry, running, and those that have ended by pages."""
    return _show(request, EventKind.LADDER)


@never_cache
@require_safe
def cups(request: HttpRequest) -> HttpResponse:
    """Cups: open for entry, running, and those that have ended by pages."""
    return _show(request, EventKind.CUP)


def _show(request: HttpRequest, kind: EventKind) -> HttpResponse:
    current = list(list_events(kind=kind).exclude(status__in=ENDED)[:MOST_CURRENT])
    ended = Paginator(list_events(kind=kind).filter(status__in=ENDED), PAGE)
    context = {
        "section": f"{kind}s",
        "kind": kind,
        "opening": [event for event in current if event.status != EventStatus.RUNNING],
        "running": [event for event in current if event.status == EventStatus.RUNNING],
        "ended": ended.get_page(request.GET.get("page")),
    }
    return render(request, "tournaments/events.html", context)
