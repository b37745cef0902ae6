"""Ladders and cups in the admin: made and set up here, run on their organisers' page."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from formats.protocol import Format
from matches.models.time_control import TIME_CONTROL_COLUMNS
from players.models import Player
from tournaments.making.admin.access import GameFilter, Link, OrganisersAdmin
from tournaments.making.admin.forms import CompetitionForm, CupForm, LadderForm, offered_formats
from tournaments.making.admin.stage_fields import count_shown, values_of
from tournaments.making.admin.stage_rows import hidden_fields, replace_names, shown_instead, stage_rows
from tournaments.making.option_fields import field_names
from tournaments.making.recipes import Recipe, make_stages, recipes_of
from tournaments.making.services.competitions import (
    OPTIONS,
    change_competition,
    create_competition,
    fixed_options,
    hide_competition,
    show_competition,
)
from tournaments.models import Competition, CompetitionKind, Cup, Ladder
from tournaments.models.rights import Right
from tournaments.office.sentences import points_sentence
from tournaments.office.services.organisers import change_organisers
from tournaments.rounds.services.stage_checks import option_name

WHAT = (None, {"fields": ("name", "slug", "description", "status", "organisers")})
GAME = (
    _("Game and time"),
    {"fields": ("game", "is_rated", TIME_CONTROL_COLUMNS, "vacation_limit")},
)
ENTRY = (
    _("Entry"),
    {
        "fields": (
            ("max_entrants", "min_rating", "max_rating"),
            "admits_computers",
            "new_password",
            "no_password",
            "by_invitation",
        )
    },
)
START = (_("Start"), {"fields": ("starts_at", "starts_when_full")})
START_OF_CUP = (_("Start"), {"fields": ("starts_at", "starts_when_full", "check_in_minutes")})
CHANGE = (None, {"fields": ("reason", "version")})
TABLE = (_("Table"), {"fields": ("point_table", "tiebreaks")})


READONLY_FIELDS = {"game": "game_title", "point_table": "match_points"}
"""The columns that show an option of the competition in words where it cannot be changed and is kept as a code."""

NOT_OF_TEAMS = frozenset({"admits_computers", "check_in_minutes", "max_rating", "min_rating"})

PASSWORD_FIELDS = frozenset({"new_password", "no_password"})


class CompetitionAdmin(OrganisersAdmin):
    """The admin of ladders and cups alike. Staff who create a competition organise it."""

    form: type[CompetitionForm]
    competition_path = "pk"
    right = Right.ORGANISE
    list_filter: ClassVar = ("status", GameFilter, ("hidden_at", admin.EmptyFieldListFilter))
    actions: Any = ("hide", "show")
    search_fields = ("name", "slug")
    search_help_text = _("Part of the name or of the slug")
    readonly_always: ClassVar[tuple[str, ...]] = ("status",)
    played: ClassVar[Any]
    """The fieldset on how it is played, behind which those of the formats come."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let staff make competitions."""
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let staff change the competitions that their lists are limited to."""
        return self.has_module_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the competitions with their stages."""
        return super().get_queryset(request).prefetch_related("stages")

    def get_readonly_fields(self, request: HttpRequest, obj: Competition | None = None) -> tuple[Any, ...]:
        """Return what can't be changed any more, and what is never changed here."""
        if obj is None:
            return self.readonly_always
        fixed = fixed_options(competition=obj)
        shown = self._shown_instead(obj, fixed)
        others = hidden_fields(obj, fixed, offered_formats(self.model, obj))
        hidden = PASSWORD_FIELDS if "password" in fixed else frozenset()
        plain = fixed & OPTIONS - {"password"}
        return (*self.readonly_always, *sorted(plain | hidden | others | shown.keys()), *shown.values())

    def get_fieldsets(self, request: HttpRequest, obj: Competition | None = None) -> Any:
        """Return all options: those that can't be changed any more read-only, the password's then not at all."""
        fixed = fixed_options(competition=obj) if obj is not None else frozenset()
        shown = self._shown_instead(obj, fixed) if obj is not None else {}
        specs = offered_formats(self.model, obj)
        hidden = hidden_fields(obj, fixed, specs) if obj is not None else frozenset()
        hidden |= PASSWORD_FIELDS if "password" in fixed else frozenset()
        if obj is not None:
            hidden |= {"boards"} if obj.boards is None else NOT_OF_TEAMS
        fieldsets = []
        for title, about in (*super().get_fieldsets(request, obj), *(() if obj is None else (CHANGE,))):
            fieldsets.append((title, about))
            if about is self.played:
                fieldsets += self.get_stage_fieldsets(request, obj, specs)
        kept = [
            (title, about | {"fields": replace_names(about["fields"], shown, hidden)}) for title, about in fieldsets
        ]
        return [(title, about) for title, about in kept if about["fields"]]

    def get_stage_fieldsets(self, request: HttpRequest, obj: Competition | None, specs: Sequence[Format]) -> list[Any]:
        """Return the fieldsets on how the stages are played: the options of the formats, that was chosen first open."""
        stages = self._stages_shown(request, obj)
        return [
            (_(spec.label), {"fields": field_names(spec), "classes": () if spec.key == stages[0] else ("collapse",)})
            for spec in specs
        ]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return what the form of a new competition shows: the stages of the recipe in the URL."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        recipe = self._recipe(request)
        return initial | values_of(make_stages(recipe)) | {"boards": recipe.boards}

    def render_change_form(  # noqa: PLR0917 - the signature is Django's
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """Return the form, for a new competition with the recipes to start from."""
        if add and request.method != "POST":
            context |= {"recipes": recipes_of(self.kind), "recipe": self._recipe(request)}
        return super().render_change_form(request, context, add, change, form_url, obj)

    @property
    def kind(self) -> CompetitionKind:
        """Return the kind of all competitions that are listed."""
        return CompetitionKind(self.model().kind)

    def _recipe(self, request: HttpRequest) -> Recipe:
        """Return the recipe that the URL names, the usual one if it names none of this kind."""
        recipes = {recipe.name: recipe for recipe in recipes_of(self.kind)}
        return recipes.get(request.GET.get("recipe", ""), next(iter(recipes.values())))

    def _stages_shown(self, request: HttpRequest, obj: Competition | None) -> list[str]:
        """Return the formats of the stages that the form shows, empty for one that there is not yet."""
        stages = make_stages(self._recipe(request)) if obj is None else obj.all_stages
        formats = [stage.format for stage in stages]
        shown = formats + [""] * (count_shown(len(formats), request.POST) - len(formats))
        return [request.POST.get(option_name(number, "format"), key) for number, key in enumerate(shown, start=1)]

    def _shown_instead(self, competition: Competition, fixed: Collection[str]) -> dict[str, Any]:
        """Return what shows each option that can't be changed any more, and is no column of the competition."""
        columns = {name: shows for name, shows in READONLY_FIELDS.items() if name in fixed}
        return columns | shown_instead(competition, fixed)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Store a new competition, or the changed options of one."""
        organiser, now = cast("Player", request.user), timezone.now()
        stage, *later = form.stages
        if change:
            changed = form.changed_options()
            change_competition(
                competition=obj,
                stage=stage,
                later=later,
                changed=changed,
                version=form.cleaned_data["version"],
                actor=organiser,
                reason=form.cleaned_data["reason"],
                now=now,
            )
        else:
            create_competition(competition=obj, stage=stage, later=later, creator=organiser, now=now)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store who organises the competition; its maker does."""
        if "organisers" not in form.changed_data:
            return
        actor = cast("Player", request.user)
        organisers = {*form.cleaned_data["organisers"], *(() if change else (actor,))}
        change_organisers(competition=form.instance, organisers=organisers, actor=actor, now=timezone.now())

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions, which are for superusers: they alone see competitions of others."""
        return super().get_actions(request) if request.user.is_superuser else {}

    @admin.action(description=_("Hide: only organisers and superusers see it"))
    def hide(self, request: HttpRequest, chosen: QuerySet[Competition]) -> None:
        """Hide the chosen competitions."""
        for competition in chosen:
            hide_competition(competition_id=competition.pk, actor=cast("Player", request.user), now=timezone.now())

    @admin.action(description=_("Show again to everybody"))
    def show(self, request: HttpRequest, chosen: QuerySet[Competition]) -> None:
        """Show the chosen competitions again."""
        for competition in chosen:
            show_competition(competition_id=competition.pk, actor=cast("Player", request.user), now=timezone.now())

    @admin.display(description=_("status"))
    def stage(self, competition: Competition) -> str:
        """Return how far the competition has come."""
        return format_html('<span class="chip {}">{}</span>', competition.status, competition.get_status_display())

    @admin.display(description=_("game"))
    def game_title(self, competition: Competition) -> str:
        """Return the game's title."""
        return competition.rules.title

    @admin.display(description=_("match points"))
    def match_points(self, competition: Competition) -> str:
        """Return what a match is worth."""
        return points_sentence(competition.scoring)

    @admin.display(description=_("format"))
    def format_title(self, competition: Competition) -> str:
        """Return what the formats of its stages are called."""
        return ", ".join(str(_(stage.format_spec.label)) for stage in competition.all_stages)

    @admin.display(description=_("draw seed"))
    def draw_seed(self, competition: Competition) -> int | None:
        """Return the number from which the draw follows."""
        return competition.first_stage.draw_seed

    def find_links(self, request: HttpRequest, row: Competition) -> list[Link]:
        """Return links to the competition's page and to its organisers' page."""
        page = row.get_absolute_url()
        return [Link(_("Organise"), f"{page}organise/"), Link(_("The players' page"), page)]


@admin.register(Ladder)
class LadderAdmin(CompetitionAdmin):
    """Ladders."""

    form = LadderForm
    list_display = ("name", "stage", "game_title", "format_title", "created_at")
    played: ClassVar[Any] = {"fields": ("format",)}
    fieldsets: ClassVar[Any] = (WHAT, GAME, (_("Ladder"), played), TABLE, ENTRY, START)


@admin.register(Cup)
class CupAdmin(CompetitionAdmin):
    """Cups."""

    form = CupForm
    list_display = ("name", "stage", "game_title", "format_title", "created_at")
    readonly_always = ("status", "draw_seed", "winner")
    list_select_related = (
        "winner__player",
        "winner__team",
    )
    played: ClassVar[Any] = {
        "fields": (
            ("format", "seeding"),
            "boards",
            ("round_days", "at_round_end"),
            "late_entry",
            "draw_seed",
            "winner",
        )
    }
    fieldsets: ClassVar[Any] = (WHAT, GAME, (_("Cup"), played), TABLE, ENTRY, START_OF_CUP)

    def get_stage_fieldsets(self, request: HttpRequest, obj: Competition | None, specs: Sequence[Format]) -> list[Any]:
        """Return the fieldsets on how the stages are played; those of the stages fold."""
        formats = self._stages_shown(request, obj)
        folded = ("collapse",)
        groups = {"fields": ("grouping", "advance"), "classes": () if any(formats[1:]) else folded}
        fieldsets = [*super().get_stage_fieldsets(request, obj, specs), (_("Groups, and who goes on"), groups)]
        for number, key in enumerate(formats[1:], start=2):
            known = {spec.key: format_lazy("{} {}: {}", _("Stage"), number, _(spec.label)) for spec in specs}
            title = known.get(key, format_lazy("{} {}", _("Add stage"), number))
            is_open = key and request.method == "POST"
            fieldsets.append((title, {"fields": stage_rows(number, specs), "classes": () if is_open else folded}))
        return fieldsets
