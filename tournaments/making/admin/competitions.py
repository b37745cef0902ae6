"""Ladders and cups in the admin: made and set up here, run on their organisers' page."""

from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.helpers import AdminForm
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from players.models import Player
from tournaments.making.admin.access import GameFilter, Link, OrganisersAdmin
from tournaments.making.admin.forms import StaffForm
from tournaments.making.admin.stage_formats import StageFormatsForm, choose_formats
from tournaments.making.recipes import Recipe, formats_of, make_stages, recipes_of
from tournaments.making.services.competitions import describe_options, fixed_options, hide_competition, show_competition
from tournaments.making.services.drafts import edit_options, make_draft
from tournaments.models import Competition, CompetitionKind, Cup, Ladder, Stage
from tournaments.models.rights import Right
from tournaments.office.services.organisers import change_organisers


class CompetitionAdmin(OrganisersAdmin):
    """The admin of ladders and cups alike. Staff who create a competition organise it."""

    competition_path = "pk"
    right = Right.ORGANISE
    list_filter: ClassVar = ("status", GameFilter, ("hidden_at", admin.EmptyFieldListFilter))
    actions: Any = ("hide", "show")
    search_fields = ("name", "slug")
    search_help_text = _("Part of the name or of the slug")
    list_display = ("name", "stage", "game_title", "format_title", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let staff make competitions."""
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let staff change the competitions that their lists are limited to."""
        return self.has_module_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the competitions with their stages."""
        return super().get_queryset(request).prefetch_related("stages")

    def get_fieldsets(self, request: HttpRequest, obj: Competition | None = None) -> Any:
        """Return none: the form itself knows which fields there are, by the stages."""
        return ()

    def get_form(self, request: HttpRequest, obj: Competition | None = None, change: bool = False, **about: Any) -> Any:
        """Return what makes the form, called as the form of a model would be."""
        fixed = frozenset() if obj is None else fixed_options(competition=obj)
        competition, stages = (obj, obj.all_stages) if obj is not None else self._from_recipe(request)
        stages = choose_formats(stages, request.GET, offered=formats_of(self.kind), fixed=fixed)

        def make_form(data: Any = None, *_files: Any, **_about: Any) -> StaffForm:
            return StaffForm(data, competition=competition, stages=stages, fixed=fixed)

        return make_form

    def render_change_form(  # type: ignore[override] # Django gives the rest by name
        self, request: HttpRequest, context: dict[str, Any], *, obj: Any = None, **about: Any
    ) -> HttpResponse:
        """Return the form below the recipes or what is fixed by now, and the formats that can be chosen."""
        form: StaffForm = context["adminform"].form
        context["adminform"] = AdminForm(cast("Any", form), form.fieldsets, {}, model_admin=self)
        context["formats"] = StageFormatsForm(form.stages, offered=formats_of(self.kind), fixed=form.fixed)
        if obj is None:
            # Once something was typed, a link to another recipe would lose it.
            context["recipes"] = () if form.is_bound else recipes_of(self.kind)
            context["recipe"] = self._recipe(request)
        else:
            context["facts"] = [*self.find_facts(obj), *describe_options(competition=obj, names=form.fixed)]
        return super().render_change_form(request, context, obj=obj, **about)

    def find_facts(self, competition: Any) -> list[tuple[Any, Any]]:
        """Return what is read of a competition above the options that are fixed, as (title, value)."""
        return [(_("status"), competition.get_status_display())]

    @property
    def kind(self) -> CompetitionKind:
        """Return the kind of all competitions that are listed."""
        return CompetitionKind(self.model().kind)

    def _recipe(self, request: HttpRequest) -> Recipe:
        """Return the recipe that the URL names, the usual one if it names none of this kind."""
        recipes = {recipe.name: recipe for recipe in recipes_of(self.kind)}
        return recipes.get(request.GET.get("recipe", ""), next(iter(recipes.values())))

    def _from_recipe(self, request: HttpRequest) -> tuple[Competition, list[Stage]]:
        """Return a new competition of the recipe that the URL names, and its stages."""
        recipe = self._recipe(request)
        return self.model(boards=recipe.boards), make_stages(recipe)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Return the competition as the form makes it."""
        return form.instance

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Store a new competition, or the changed options of one."""
        staff, now = cast("Player", request.user), current_moment()
        if not change:
            make_draft(competition=obj, stages=form.stages, maker=staff, now=now)
            return
        edit_options(
            competition=obj,
            stages=form.stages,
            changed=form.changed_options(),
            version=form.cleaned_data["version"],
            actor=staff,
            reason=form.cleaned_data["reason"],
            asks_again=form.cleaned_data.get("asks_again", False),
            now=now,
        )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store who organises the competition; its maker does."""
        if "organisers" not in form.changed_data:
            return
        actor = cast("Player", request.user)
        organisers = {*form.cleaned_data["organisers"], *(() if change else (actor,))}
        change_organisers(competition=form.instance, organisers=organisers, actor=actor, now=current_moment())

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions, which are for superusers: they alone see competitions of others."""
        return super().get_actions(request) if request.user.is_superuser else {}

    @admin.action(description=_("Hide: only organisers and superusers see it"))
    def hide(self, request: HttpRequest, chosen: QuerySet[Competition]) -> None:
        """Hide the chosen competitions."""
        for competition in chosen:
            hide_competition(competition_id=competition.pk, actor=cast("Player", request.user), now=current_moment())

    @admin.action(description=_("Show again to everybody"))
    def show(self, request: HttpRequest, chosen: QuerySet[Competition]) -> None:
        """Show the chosen competitions again."""
        for competition in chosen:
            show_competition(competition_id=competition.pk, actor=cast("Player", request.user), now=current_moment())

    @admin.display(description=_("status"))
    def stage(self, competition: Competition) -> str:
        """Return how far the competition has come."""
        return format_html('<span class="chip {}">{}</span>', competition.status, competition.get_status_display())

    @admin.display(description=_("game"))
    def game_title(self, competition: Competition) -> str:
        """Return the game's title."""
        return competition.rules.title

    @admin.display(description=_("format"))
    def format_title(self, competition: Competition) -> str:
        """Return what the formats of its stages are called."""
        return ", ".join(str(_(stage.format_spec.label)) for stage in competition.all_stages)

    def find_links(self, request: HttpRequest, row: Competition) -> list[Link]:
        """Return links to the competition's page and to its organisers' page."""
        page = row.get_absolute_url()
        return [Link(_("Organise"), f"{page}organise/"), Link(_("The players' page"), page)]


@admin.register(Ladder)
class LadderAdmin(CompetitionAdmin):
    """Ladders."""


@admin.register(Cup)
class CupAdmin(CompetitionAdmin):
    """Cups."""

    def find_facts(self, competition: Any) -> list[tuple[Any, Any]]:
        """Return also the number from which the draw follows, and who has won."""
        seed = competition.first_stage.draw_seed
        return [*super().find_facts(competition), (_("draw seed"), seed), (_("winner"), competition.winner)]
