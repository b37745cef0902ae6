"""The page to import entrants, and that of the waiting list."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import ngettext

from database.clock import current_moment
from players.views.buttons import own_form, own_page
from tournaments.desk.forms import EntryListForm
from tournaments.desk.views.desk import PAGE, frame, organised_competition, organiser_of
from tournaments.entries.entry_lists import write_entry_list
from tournaments.entries.services.entry_imports import Candidate, import_entry_list, preview_entry_list
from tournaments.models import NOT_STARTED, Competition, CompetitionStatus
from tournaments.running.selectors.waiting_lists import removed_from_list, waiting_list
from web.errors import DomainError
from web.pages.keyset_pages import OLDEST_FIRST, keyset_page

MAX_EDITED = 100
"""The most lines at fault that can be corrected at once."""


@own_page
def list_waiting(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """List who waits for a place, in order, by pages."""
    competition = organised_competition(request, slug)
    waiting = waiting_list(competition)
    page = keyset_page(waiting, request.GET.get("page"), size=PAGE, order=OLDEST_FIRST)
    in_front = waiting.filter(pk__lt=page.object_list[0].pk).count() if page.previous else 0
    context = {**frame(request, competition), "tab": "waiting-list", "page": page, "start": in_front + 1}
    context["removed"] = removed_from_list(competition)[:PAGE] if competition.status in NOT_STARTED else ()
    return TemplateResponse(request, "tournaments/organise/waiting_list.html", context)


@own_form
def import_entries(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Take a list, show it with what is wrong in it, and enter those of its players who can be when the answer is yes.

    Lines at fault are shown again, to be corrected in place.
    """
    competition = organised_competition(request, slug)
    posts = request.method == "POST"
    form = EntryListForm(request.POST if posts else None, request.FILES if posts else None)
    context = {**frame(request, competition), "tab": "import", "form": form}
    if posts and form.is_valid():
        text = form.cleaned_data["text"]
        try:
            if "apply" in request.POST:
                done = import_entry_list(
                    competition_id=competition.pk,
                    text=text,
                    actor=organiser_of(request),
                    reason=form.cleaned_data["reason"],
                    now=current_moment(),
                    skips_faults=True,
                )
                number, invited = len(done.entries), len(done.invitations)
                if number or not invited:
                    messages.success(
                        request, ngettext("%d player has been added.", "%d players have been added.", number) % number
                    )
                if invited:
                    messages.success(
                        request,
                        ngettext("%d player has been invited.", "%d players have been invited.", invited) % invited,
                    )
                if not done.skipped:
                    return redirect(f"{competition.get_desk_url()}{'entries' if number else 'invitations'}/")
                context |= _shown(competition, done.skipped)
            else:
                lines = preview_entry_list(competition=competition, text=text, actor=organiser_of(request))
                context |= _shown(competition, lines)
        except DomainError as refusal:
            form.show(refusal)
            context["refusal"] = refusal
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/import.html", context, status=status)


def _shown(competition: Competition, candidates: Sequence[Candidate]) -> dict[str, Any]:
    """Return what the page shows of a list: its lines, and which of them can be corrected there."""
    faults = [each for each in candidates if each.fault]
    asked = sum(each.is_asked for each in candidates)
    return {
        "candidates": candidates,
        "faults": len(faults),
        "good": len(candidates) - len(faults),
        "asked": asked,
        "added": len(candidates) - len(faults) - asked,
        "has_seeds": any(each.listed.seed_text for each in candidates),
        "has_unused_seeds": any(each.listed.has_unused_seed for each in candidates),
        "has_started": competition.status == CompetitionStatus.RUNNING,
        "edited": {each.listed.line for each in faults[:MAX_EDITED]},
        "max_edited": MAX_EDITED,
        "text": write_entry_list(each.listed for each in candidates),
    }
