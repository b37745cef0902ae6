"""The page of everything that a player organises or helps in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from players.views.buttons import own_page
from tournaments.desk.selectors import organised_before, organised_now
from tournaments.desk.views.desk import organiser_of
from tournaments.models import CompetitionStatus
from web.pages.keyset_pages import keyset_page

PAGE = 20


@own_page
def my_competitions(request: HttpRequest) -> HttpResponse:
    """Show what the player runs: what needs a decision, drafts, what goes on, and, by pages, what is over."""
    player = organiser_of(request)
    rows = organised_now(player=player, now=timezone.now())
    rest = [row for row in rows if not row.decisions]
    context = {
        "section": "mine",
        "waiting": [row for row in rows if row.decisions],
        "drafts": [row for row in rest if row.competition.status == CompetitionStatus.DRAFT],
        "going_on": [row for row in rest if row.competition.status != CompetitionStatus.DRAFT],
        "over": keyset_page(organised_before(player=player), request.GET.get("page"), size=PAGE),
    }
    return render(request, "tournaments/organise/mine.html", context)
