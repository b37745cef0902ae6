"""The lists of ladders and of cups."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.models import ENDED, CompetitionKind, CompetitionStatus
from tournaments.selectors.competitions import list_competitions

PAGE = 20
MAX_CURRENT = 50


@never_cache
@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """Show the ladders: open for entry, running, and, page by page, those that have ended."""
    return _show(request, CompetitionKind.LADDER)


@never_cache
@require_safe
def cups(request: HttpRequest) -> HttpResponse:
    """Show the cups: open for entry, running, and, page by page, those that have ended."""
    return _show(request, CompetitionKind.CUP)


def _show(request: HttpRequest, kind: CompetitionKind) -> HttpResponse:
    current = list(list_competitions(kind=kind).exclude(status__in=ENDED)[:MAX_CURRENT])
    ended = Paginator(list_competitions(kind=kind).filter(status__in=ENDED), PAGE)
    context = {
        "section": f"{kind}s",
        "kind": kind,
        "opening": [competition for competition in current if competition.status != CompetitionStatus.RUNNING],
        "running": [competition for competition in current if competition.status == CompetitionStatus.RUNNING],
        "ended": ended.get_page(request.GET.get("page")),
    }
    return render(request, "tournaments/competitions.html", context)
