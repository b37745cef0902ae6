"""The page of a round that waits for its organisers: who would meet whom, and what they can do about it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from players.views.buttons import own_page
from tournaments.desk.acts import PROPOSED_ROUND, acts_on
from tournaments.desk.views.desk import frame, organised_competition
from tournaments.records.errors import RoundNotFound
from tournaments.rounds.selectors import get_proposed_round, read_proposal


@own_page
def show_proposed_round(request: HttpRequest, kind: str, slug: str, number: int, **numbers: int) -> HttpResponse:
    """Show the pairings of a round, with what speaks against them; one that no longer waits leads to the desk.

    ``numbers`` are those of its stage and group.
    """
    competition = organised_competition(request, slug)
    try:
        proposed = get_proposed_round(competition, number, **numbers)
    except RoundNotFound:
        return redirect(competition.get_desk_url())
    shared = frame(request, competition)
    acts = acts_on(PROPOSED_ROUND, competition, proposed, shared["rights"])
    context = {
        **shared,
        "tab": "competition",
        "name": PROPOSED_ROUND.name_of(proposed),
        "proposed": proposed,
        "proposal": read_proposal(proposed),
        "doable": {
            act.name.replace("-", "_"): {
                "act": act,
                "url": act.url(competition, proposed),
                "form": act.form(subject=proposed),
            }
            for act in acts
        },
    }
    return render(request, "tournaments/organise/proposed_round.html", context)
