"""The pages on which players make competitions, and on which organisers edit them and delete drafts."""

from copy import deepcopy
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from database.clock import current_moment
from matches.views.game_picker import cards_of
from players.views.buttons import own_form, own_page
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.making.again_forms import CopyForm
from tournaments.making.draft_forms import DraftForm
from tournaments.making.recipes import RECIPES, make_stages
from tournaments.making.selectors.making_conditions import reasons_not_to_make
from tournaments.making.services.competitions import check_change, describe_changes, fixed_options
from tournaments.making.services.copies import copy_competition, suggest_name
from tournaments.making.services.drafts import delete_draft, edit_options, find_changes, make_draft
from tournaments.making.services.previews import Preview, preview_draft
from tournaments.making.services.series import make_first_season
from tournaments.models import CompetitionKind, CompetitionStatus, Cup, Ladder
from tournaments.office.errors import OptionsChanged
from tournaments.office.services.option_versions import check_version
from web.errors import DomainError
from web.pages.form_keys import FORM_KEY

EVENING = "evening"
"""The value of ``?played=`` in links to competitions that are played in one evening."""

NO_OPTIONS = frozenset({"csrfmiddlewaretoken", FORM_KEY, "keep", "seen"})
"""The values that a form sends beside the options."""


@own_page
def choose_recipe(request: HttpRequest) -> HttpResponse:
    """Show the recipes to start from, those for one evening alone if asked, or why the player may make none."""
    reasons = reasons_not_to_make(player=organiser_of(request), now=current_moment())
    evening = _is_for_an_evening(request)
    recipes = [each for each in RECIPES.values() if each.fits_an_evening or not evening]
    kinds = [(kind, [each for each in recipes if each.kind == kind]) for kind in reversed(CompetitionKind)]
    shown = [(kind, each) for kind, each in kinds if each]
    context = {"section": "mine", "reasons": reasons, "kinds": shown, "evening": evening}
    return TemplateResponse(request, "tournaments/organise/recipes.html", context)


@own_form
def make(request: HttpRequest, recipe: str) -> HttpResponse:
    """Ask for the options of a competition, show what it would be, and then make it: a draft of the player's own."""
    chosen, maker, now = RECIPES.get(recipe), organiser_of(request), current_moment()
    if chosen is None:
        raise Http404
    if reasons_not_to_make(player=maker, now=now):
        return redirect("make")
    competition = (Ladder if chosen.kind == CompetitionKind.LADDER else Cup)(boards=chosen.boards)
    evening = _is_for_an_evening(request)
    stages = make_stages(chosen)
    form = DraftForm(_sent(request), competition=competition, stages=stages, is_live=evening)
    context: dict[str, Any] = {"section": "mine", "form": form, "recipe": chosen, "evening": evening}
    if (preview := _preview(request, form, context)) is not None and _is_kept(request):
        try:
            given: dict[str, Any] = {"competition": competition, "stages": form.stages, "maker": maker, "now": now}
            if rhythm := form.cleaned_data.get("again"):
                make_first_season(**given, rhythm=rhythm)
            else:
                make_draft(**given)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Draft created. Only you can see it until you open entry."))
            return redirect(competition.get_desk_url())
    return _answer(request, form, context, preview)


@own_form
def edit(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask for the options that may still change, show what would change, and then store them."""
    before = organised_competition(request, slug)
    back = before.get_desk_url()
    stages_before = before.all_stages
    form = DraftForm(
        _sent(request),
        competition=deepcopy(before),
        stages=deepcopy(stages_before),
        fixed=fixed_options(competition=before),
    )
    context: dict[str, Any] = {**frame(request, before), "tab": "edit", "form": form, "back": back}
    context["is_draft"] = before.status == CompetitionStatus.DRAFT
    preview = _preview(request, form, context)
    changed: set[str] = set()
    if preview is not None:
        about: dict[str, Any] = {"stages_before": stages_before, "stages": form.stages}
        changed = find_changes(before=before, after=form.competition, **about)
        context["changes"] = describe_changes(before=before, after=form.competition, changed=changed, **about)
        told = {name: form.cleaned_data[name] for name in ("reason", "asks_again") if name in form.fields}
        try:
            check_version(competition=before, version=form.cleaned_data["version"])
            check_change(competition=before, changed=changed, **told)
        except OptionsChanged as refusal:
            context["outdated"], preview = refusal, None
        except DomainError as refusal:
            form.show(refusal)
    if preview is not None and not form.errors and _is_kept(request):
        try:
            edit_options(
                competition=form.competition,
                stages=form.stages,
                changed=changed,
                version=form.cleaned_data["version"],
                actor=organiser_of(request),
                **told,
                now=current_moment(),
            )
        except OptionsChanged as refusal:
            context["outdated"], preview = refusal, None
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("The options have been saved."))
            return redirect(back)
    return _answer(request, form, context, preview)


@own_form
def delete(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask whether a draft is to be deleted, and delete it."""
    competition = organised_competition(request, slug)
    context: dict[str, Any] = {**frame(request, competition)}
    status = 200
    if request.method == "POST":
        try:
            delete_draft(competition=competition, actor=organiser_of(request))
        except DomainError as refusal:
            context["refusal"], status = refusal, 409
        else:
            messages.success(request, _("The draft has been deleted."))
            return redirect(f"{competition.kind}s")
    return TemplateResponse(request, "tournaments/organise/delete.html", context, status=status)


def _is_for_an_evening(request: HttpRequest) -> bool:
    return request.GET.get("played") == EVENING


def _sent(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _preview(request: HttpRequest, form: DraftForm, context: dict[str, Any]) -> Preview | None:
    """Return what the sent options come to, ``None`` where there are none or any is wrong."""
    if not form.is_valid():
        return None
    try:
        preview = preview_draft(
            competition=form.competition,
            stages=form.stages,
            written=form.changed_data,
            maker=organiser_of(request),
            now=current_moment(),
        )
    except DomainError as refusal:
        form.show(refusal)
        return None
    context["seen"] = _fingerprint(request)
    return preview


def _is_kept(request: HttpRequest) -> bool:
    """Return whether the options are to be kept, and are those whose preview was shown."""
    return "keep" in request.POST and request.POST.get("seen") == _fingerprint(request)


def _fingerprint(request: HttpRequest) -> str:
    """Return a short text that is another one for other options."""
    values = sorted((name, request.POST.getlist(name)) for name in request.POST if name not in NO_OPTIONS)
    return sha256(repr(values).encode()).hexdigest()[:32]


def _answer(request: HttpRequest, form: DraftForm, context: dict[str, Any], preview: Preview | None) -> HttpResponse:
    cards = cards_of(form) if "game" in form.fields else []
    shown = {**context, "preview": None if form.errors else preview, "cards": cards}
    status = 409 if "outdated" in context else 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/draft.html", shown, status=status)


@own_form
def copy(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask what a copy is to be called and whether its players come along, and make it: a draft of one's own."""
    competition, maker, now = organised_competition(request, slug), organiser_of(request), current_moment()
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
