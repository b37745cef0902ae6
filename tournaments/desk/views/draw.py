"""The page that previews a cup's draw, repeats or reorders it by hand as often as needed, and then stores it."""

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from database.clock import current_moment
from formats.protocol import FromSeed
from players.views.buttons import own_form, own_page
from tournaments.decisions.services.draws import draw_cup
from tournaments.desk.acts import PROPOSED_ROUND, acts_on
from tournaments.desk.forms import DrawForm
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.models import NOT_STARTED, Cup
from tournaments.office.sentences import list_sizes
from tournaments.records.errors import CompetitionNotFound, RoundNotFound
from tournaments.records.groups import is_drawn
from tournaments.rounds.selectors import get_proposed_round, read_proposal
from tournaments.rounds.services.draws import MAX_DRAW_SEED, Draw, kept_draw, preview_draw
from tournaments.rounds.services.group_draws import DrawnGroup
from web.errors import DomainError

MAX_ROUNDS_SHOWN = 3


@own_form
def draw(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Show what the draw would be: by the seed in the URL, else by a new one. Answered with yes, it is kept.

    Two players or teams that are named in the URL have each other's seed, and so each other's place.

    Of a cup that has started, the draw that it has is shown, and no other.
    """
    cup = organised_competition(request, slug)
    if not isinstance(cup, Cup):
        raise CompetitionNotFound(_("Only cups are drawn."))
    answered = request.method == "POST"
    data = request.POST if answered else request.GET
    form = DrawForm(data, competition_id=cup.pk, of_teams=cup.boards is not None)
    context: dict[str, Any] = {
        **frame(request, cup),
        "tab": "draw",
        "form": form,
        "is_drawn": is_drawn(competition=cup),
    }
    context["can_draw"] = can_draw = cup.status in NOT_STARTED
    if not can_draw and (kept := kept_draw(competition=cup)) is not None:
        context |= _show(cup, kept)
    if form.is_valid() and (can_draw or answered or any(form.cleaned_data.values())):
        seed = form.cleaned_data["seed"]
        reason = form.cleaned_data["reason"]
        options = {"seed": _new_seed() if seed is None else seed, "order": form.cleaned_data["order"]}
        try:
            if answered:
                draw_cup(cup_id=cup.pk, actor=organiser_of(request), reason=reason, now=current_moment(), **options)
                messages.success(request, _("The cup has been drawn. Entry is closed."))
                return redirect(cup.get_desk_url())
            drawn = preview_draw(competition=cup, **options)
            if form.cleaned_data["swap"]:
                drawn = _swap(cup, drawn, *form.cleaned_data["swap"])
                form.show_order(drawn.entries)
            context |= _show(cup, drawn) | {"next_seed": _new_seed()}
        except DomainError as refusal:
            form.show(refusal)
            context["refusal"] = refusal
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/draw.html", context, status=status)


def _swap(cup: Cup, drawn: Draw, one: int, other: int) -> Draw:
    """Return the draw in which two entries have each other's seed."""
    seeds = {one: other, other: one}
    order = [seeds.get(entry.pk, entry.pk) for entry in drawn.entries]
    return preview_draw(competition=cup, seed=drawn.seed, order=order)


def _new_seed() -> int:
    return secrets.randbelow(MAX_DRAW_SEED)


def _show(cup: Cup, drawn: Draw) -> dict[str, Any]:
    """Return the groups of a draw, each with what is shown of it, and what the stages come to."""
    entrants = sum(len(group.entries) for group in drawn.groups)
    return {
        "draw": drawn,
        "sizes": list_sizes(cup.all_stages, entrants, boards=cup.boards),
        "groups": [_show_group(group) for group in drawn.groups],
    }


def _show_group(group: DrawnGroup) -> dict[str, Any]:
    """Return who meets in the first round of a bracket and who has a bye, or the first of the rounds that are known."""
    seeded = list(enumerate(group.entries, start=1))
    ties = [
        (seeded[tie.first.seed - 1], seeded[tie.second.seed - 1])
        for tie in group.ties
        if tie.key.round == 1 and isinstance(tie.first, FromSeed) and isinstance(tie.second, FromSeed)
    ]
    playing = {entrant for pair in ties for entrant in pair}
    return {
        "letter": group.letter,
        "seeded": seeded,
        "is_bracket": bool(group.ties),
        "ties": ties,
        "byes": [entrant for entrant in seeded if entrant not in playing] if group.ties else [],
        "rounds": group.rounds[:MAX_ROUNDS_SHOWN],
        "more_rounds": max(0, len(group.rounds) - MAX_ROUNDS_SHOWN),
    }


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
