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
CURRENT_PAGE = 50


@never_cache
@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """Show the ladders, page by page: those to come, those that are running, and those that have ended."""
    return _show(request, CompetitionKind.LADDER)


@never_cache
@require_safe
def cups(request: HttpRequest) -> HttpResponse:
    """Show the cups, page by page: those to come, those that are running, and those that have ended."""
    return _show(request, CompetitionKind.CUP)


def _show(request: HttpRequest, kind: CompetitionKind) -> HttpResponse:
    listed = list_competitions(kind=kind)
    running = Paginator(listed.filter(status=CompetitionStatus.RUNNING), CURRENT_PAGE)
    opening = Paginator(listed.exclude(status__in=[*ENDED, CompetitionStatus.RUNNING]), CURRENT_PAGE)
    ended = Paginator(listed.filter(status__in=ENDED), PAGE)
    context = {
        "section": f"{kind}s",
        "kind": kind,
        "opening": opening.get_page(request.GET.get("opening")),
        "running": running.get_page(request.GET.get("running")),
        "ended": ended.get_page(request.GET.get("page")),
    }
    return render(request, "tournaments/competitions.html", context)
