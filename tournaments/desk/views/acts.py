"""The pages of acts: the first request shows what will happen, the second does it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.desk.acts import Act, get_act
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.rounds.services.consequences import Consequences
from web.errors import DomainError


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(
    request: HttpRequest, slug: str, action: str, *, kind: str, path: str = "", subject_id: int = 0, **numbers: int
) -> HttpResponse:
    """Ask for confirmation of an act, and do it once confirmed; a refusal is shown beside the question.

    ``numbers`` are those of the stage and group of what it is done to.
    """
    act = get_act(path, action)
    if act is None:
        raise Http404
    competition = organised_competition(request, slug, act.on.needs)
    subject = act.on.find(competition, subject_id, **numbers)
    back = f"{competition.get_desk_url()}{act.on.back_of(subject)}"
    form = act.form(request.POST if request.method == "POST" else None, subject=subject)
    context: dict[str, Any] = {
        **frame(request, competition),
        "act": act,
        "subject": act.on.name_of(subject) if subject != competition else "",
        "back": back,
        "form": form,
    }
    if request.method == "POST" and form.is_valid():
        try:
            result = act.perform(subject, form.cleaned_data, organiser_of(request), timezone.now())
        except DomainError as refusal:
            form.show(refusal)
            context["refusal"] = refusal
        else:
            messages.success(request, act.say_done(result))
            return redirect(back)
    context["follows"] = follows = _foresee(act, subject)
    if follows is not None and not follows.lost:
        # Nobody need confirm that nothing is lost.
        form.fields.pop("confirm", None)
    return TemplateResponse(request, "tournaments/organise/confirm.html", context, status=400 if form.errors else 200)


def _foresee(act: Act, subject: Any) -> Consequences | None:
    """Return what would follow from an act, ``None`` where it is refused: the service says why."""
    try:
        return act.foresee(subject, timezone.now())
    except DomainError:
        return None
