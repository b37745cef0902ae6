"""The page to import entrants from CSV."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.forms import EntryListForm
from tournaments.services.entry_imports import import_entry_list, preview_entry_list
from tournaments.views.organisers.desk import frame, organised_competition, organiser_of
from web.errors import DomainError


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_entries(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Take a list, show it with what is wrong in it, and enter its players when the answer is yes."""
    competition = organised_competition(request, slug)
    posts = request.method == "POST"
    form = EntryListForm(request.POST if posts else None, request.FILES if posts else None)
    context = {**frame(request, competition), "tab": "import", "form": form}
    if posts and form.is_valid():
        text = form.cleaned_data["text"]
        try:
            if "apply" in request.POST:
                entries = import_entry_list(
                    competition_id=competition.pk,
                    text=text,
                    actor=organiser_of(request),
                    reason=form.cleaned_data["reason"],
                    now=timezone.now(),
                )
                added = ngettext("%d player has been added.", "%d players have been added.", len(entries)) % len(
                    entries
                )
                messages.success(request, added)
                return redirect(f"{competition.get_absolute_url()}organise/entries/")
            candidates = preview_entry_list(competition=competition, text=text)
            context |= {"candidates": candidates, "faults": [each for each in candidates if each.fault], "text": text}
        except DomainError as refusal:
            form.show(refusal)
            context["refusal"] = refusal
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/import.html", context, status=status)
