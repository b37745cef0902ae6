"""The pages of acts, on one thing or on several: the first request shows what will happen, the second does it."""

import json
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from database.clock import current_moment
from players.views.buttons import own_form
from tournaments.desk.acts import Act, get_act
from tournaments.desk.acts.act import ActForm
from tournaments.desk.acts.bulk import check_rows, perform_on_each, preview_each
from tournaments.desk.acts.inputs import MAX_DIGITS
from tournaments.desk.schemas import RowOutcomesSchema, outcomes_to_json
from tournaments.desk.sentences import interest_sentence
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.models import Competition
from tournaments.office.selectors.interests import stake_of
from tournaments.rounds.services.consequences import Consequences
from web.api.idempotency.responses import Answer
from web.api.idempotency.steps import Steps, respond_in_steps
from web.errors import DomainError


@own_form
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
    actor = organiser_of(request)
    seen = _choice_of(act, form)
    context["seen"] = seen if _is_chosen(act, form) else None
    if form.is_valid() and request.POST.get("seen", "") == seen:
        try:
            result = act.perform(subject, form.cleaned_data, actor, current_moment())
        except DomainError as refusal:
            form.show(refusal)
            context["refusal"] = refusal
        else:
            messages.success(request, act.say_done(result))
            return redirect(back)
    context["interest"] = interest_sentence(act.interest_in(subject, stake_of(competition=competition, player=actor)))
    context["follows"] = follows = _foresee(act, subject, form)
    context["question"] = act.ask_besides(follows, competition)
    if follows is not None and not follows.at_stake:
        # Nobody need confirm that nothing is lost.
        form.fields.pop("confirm", None)
    return TemplateResponse(request, "tournaments/organise/confirm.html", context, status=400 if form.errors else 200)


def _choice_of(act: Act, form: ActForm) -> str:
    """Return what was sent, or is proposed, of that on which the consequences depend; empty where nothing is asked."""
    asked = [name for name in act.foreseen_by if not (act.is_foreseen_at_once and form[name].is_hidden)]
    chosen = [[name, str(form[name].value())] for name in asked]
    return json.dumps(chosen) if chosen else ""


def _is_chosen(act: Act, form: ActForm) -> bool:
    """Return whether it is known on what the consequences depend: without faults, or as the form proposes it."""
    if not form.is_bound:
        return act.is_foreseen_at_once
    form.is_valid()
    return set(act.foreseen_by) <= set(form.cleaned_data)


def _foresee(act: Act, subject: Any, form: ActForm) -> Consequences | None:
    """Return what would follow from an act, ``None`` where it is refused: the service says why."""
    values = form.cleaned_data if form.is_bound and _is_chosen(act, form) else None
    try:
        return act.foresee(subject, current_moment(), values)
    except DomainError:
        return None


@own_form
def act_on_several(request: HttpRequest, slug: str, action: str, *, kind: str, path: str) -> HttpResponse:
    """Show what was chosen and what the act means for each, then do it, and show what was refused and why.

    A page that is sent again shows what became of it the first time.
    """
    act = get_act(path, action)
    if act is None or act.bulk is None:
        raise Http404
    competition = organised_competition(request, slug, act.on.needs)
    sent = request.POST if request.method == "POST" else request.GET
    back = f"{competition.get_desk_url()}{path}/"
    chosen = sent.getlist("chosen")
    numbers = [int(each) for each in chosen if each.isascii() and each.isdigit() and len(each) < MAX_DIGITS]
    if not numbers:
        messages.error(request, _("Choose at least one."))
        return redirect(back)
    form = act.bulk_form(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {
        **frame(request, competition),
        "tab": path,
        "act": act,
        "back": back,
        "form": form,
        "key": sent.get("key") or uuid4().hex,
    }
    try:
        numbers = check_rows(numbers)
        if form.is_valid():
            context["outcomes"] = _perform_once(request, act, competition, numbers, form.cleaned_data)["results"]
            context["refused"] = [each for each in context["outcomes"] if not each["is_done"]]
            return TemplateResponse(request, "tournaments/organise/outcomes.html", context)
    except DomainError as refusal:
        context["refusal"] = refusal
        numbers = []
    stake = stake_of(competition=competition, player=organiser_of(request))
    context["interest"] = interest_sentence(act.interest_in(None, stake))
    context["chosen"] = preview_each(
        act=act, competition=competition, numbers=numbers, stake=stake, now=current_moment()
    )
    context["most_foreseen"] = settings.MAX_FORESEEN_ROWS
    status = 400 if form.errors or "refusal" in context else 200
    return TemplateResponse(request, "tournaments/organise/several.html", context, status=status)


def _perform_once(
    request: HttpRequest, act: Act, competition: Competition, numbers: list[int], values: dict[str, Any]
) -> RowOutcomesSchema:
    """Return what became of each: of a page that was sent before, what became of it then."""
    now, actor = current_moment(), organiser_of(request)

    def answer(steps: Steps) -> Answer:
        outcomes = perform_on_each(
            act=act, competition=competition, numbers=numbers, values=values, actor=actor, steps=steps
        )
        return Answer(200, json.dumps(outcomes_to_json(outcomes)))

    sent = sorted((name, request.POST.getlist(name)) for name in request.POST if name != "csrfmiddlewaretoken")
    given = respond_in_steps(
        player_id=actor.pk,
        key=request.POST.get("key", ""),
        fingerprint=sha256(repr([request.path, sent]).encode()).hexdigest(),
        now=now,
        answer=answer,
    )
    outcomes: RowOutcomesSchema = json.loads(given.body)
    return outcomes
