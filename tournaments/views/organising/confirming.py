"""Asking once: a page that says what will happen and takes the answer, and does it on the second request."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.errors import DomainError
from tournaments.views.organising.actions import (
    ENTRY_ACTIONS,
    EVENT_ACTIONS,
    FIXTURE_ACTIONS,
    ROUND_ACTIONS,
    Action,
)
from tournaments.views.organising.events import frame, organised_event, organiser_of

TABLES = {
    "event": EVENT_ACTIONS,
    "entries": ENTRY_ACTIONS,
    "fixtures": FIXTURE_ACTIONS,
    "rounds": ROUND_ACTIONS,
}


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(
    request: HttpRequest, slug: str, action: str, *, kind: str, subjects: str = "event", subject_id: int = 0
) -> HttpResponse:
    """Ask whether the action is meant, and do it when the answer comes; a refusal is told beside the question."""
    wanted = TABLES[subjects].get(action)
    if wanted is None:
        raise Http404
    event = organised_event(request, slug)
    subject = wanted.find(event, subject_id)
    options = wanted.options(subject)
    back = f"{event.get_absolute_url()}organise/" + (f"{subjects}/" if subjects in {"entries", "fixtures"} else "")
    context = {
        **frame(request, event),
        "action": wanted,
        "subject": subject if subject != event else None,
        "back": back,
    }
    form = wanted.form(request.POST if request.method == "POST" else None, **options)
    context["form"] = form
    if request.method == "POST" and form.is_valid():
        refusal = _perform(request, wanted, subject, form.cleaned_data)
        if refusal is None:
            return redirect(back)
        form.show(refusal)
        context["refusal"] = refusal
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/confirm.html", context, status=status)


def _perform(request: HttpRequest, action: Action, subject: object, said: dict[str, object]) -> DomainError | None:
    try:
        action.perform(subject, said, organiser_of(request), timezone.now())
    except DomainError as refusal:
        return refusal
    messages.success(request, str(action.done))
    return None
