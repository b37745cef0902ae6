"""The page to make a competition again."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.views.buttons import own_form
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.making.again_forms import CopyForm
from tournaments.making.selectors.making_conditions import reasons_not_to_make
from tournaments.making.services.copies import copy_competition, suggest_name
from web.errors import DomainError


@own_form
def copy(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask what a copy is to be called and whether its players come along, and make it: a draft of one's own."""
    competition, maker, now = organised_competition(request, slug), organiser_of(request), timezone.now()
    initial = {"name": suggest_name(competition.name), "with_entrants": True}
    data = request.POST if request.method == "POST" else None
    form = CopyForm(data, initial=initial, of_teams=competition.boards is not None)
    if form.is_valid():
        try:
            options = {"with_entrants": False} | form.cleaned_data
            made = copy_competition(competition=competition, **options, actor=maker, now=now)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Draft created. Only you can see it until you open entry."))
            return redirect(made.get_desk_url())
    context: dict[str, Any] = {
        **frame(request, competition),
        "form": form,
        "reasons": reasons_not_to_make(player=maker, now=now),
    }
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/copy.html", context, status=status)
