"""The lists of ladders and of cups."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.models import ENDED, UPCOMING, Competition, CompetitionKind, CompetitionStatus
from tournaments.records.competitions import list_competitions
from web.pages.keyset_pages import KeysetPage, keyset_page

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
    context = {
        "section": f"{kind}s",
        "kind": kind,
        "opening": _page(request, "opening", listed.filter(status__in=UPCOMING), CURRENT_PAGE),
        "running": _page(request, "running", listed.filter(status=CompetitionStatus.RUNNING), CURRENT_PAGE),
        "ended": _page(request, "page", listed.filter(status__in=ENDED), PAGE),
    }
    return render(request, "tournaments/competitions.html", context)


def _page(request: HttpRequest, name: str, rows: QuerySet[Competition], size: int) -> KeysetPage[Competition]:
    return keyset_page(rows, request.GET.get(name), size=size)
