"""Ladders and cups in the admin: made and set up here, run on their organisers' page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from matches.models.time_control import TIME_CONTROL_COLUMNS
from players.models import Player
from tournaments.admin.access import GameFilter, Link, OrganisersAdmin
from tournaments.admin.forms import CompetitionForm, CupForm, LadderForm, offered_formats
from tournaments.formats.options import Option, options_of
from tournaments.models import Competition, Cup, Ladder
from tournaments.option_fields import field_name, field_names, show_value
from tournaments.sentences import TIEBREAK_NAMES, points_sentence
from tournaments.services.competitions import change_competition, change_organisers, create_competition, fixed_options

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
        )
    },
)
START = (_("Start"), {"fields": ("starts_at", "starts_when_full")})
TABLE = (_("Table"), {"fields": ("point_table", "tiebreaks")})


READONLY_FIELDS = {
    "game": "game_title",
    "point_table": "match_points",
    "tiebreaks": "table_order",
    "format": "format_title",
    "seeding": "seeding_title",
    "round_days": "days_of_rounds",
    "at_round_end": "round_end",
    "late_entry": "takes_latecomers",
}
"""What shows an option that can't be changed, and is no column of the competition."""

PASSWORD_FIELDS = frozenset({"new_password", "no_password"})


class CompetitionAdmin(OrganisersAdmin):
    """The admin of ladders and cups alike. Staff who create a competition organise it."""

    form: type[CompetitionForm]
    competition_path = "pk"
    list_filter: ClassVar = ("status", GameFilter)
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
        shown = _shown_instead(obj, fixed)
        hidden = PASSWORD_FIELDS if "password" in fixed else frozenset()
        specs = offered_formats(self.model, obj) if "format" in fixed else []
        others = [name for spec in specs if spec.key != obj.first_stage.format for name in field_names(spec)]
        return (*self.readonly_always, *sorted(fixed - {"password"} | hidden | shown.keys()), *others, *shown.values())

    def get_fieldsets(self, request: HttpRequest, obj: Competition | None = None) -> Any:
        """Return all options: those that can't be changed any more read-only, the password's then not at all."""
        fixed = fixed_options(competition=obj) if obj is not None else frozenset()
        shown = _shown_instead(obj, fixed) if obj is not None else {}
        hidden = PASSWORD_FIELDS if "password" in fixed else frozenset()
        specs = offered_formats(self.model, obj)
        if obj is not None and "format" in fixed:
            specs = [obj.first_stage.format_spec]
        fieldsets = []
        for title, about in super().get_fieldsets(request, obj):
            fieldsets.append((title, {**about, "fields": _replace(about["fields"], shown, hidden)}))
            if about is self.played:
                fieldsets += [(_(spec.label), {"fields": _replace(field_names(spec), shown, hidden)}) for spec in specs]
        return fieldsets

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Store a new competition, or the changed options of one."""
        organiser, now = cast("Player", request.user), timezone.now()
        if change:
            changed = form.changed_options()
            change_competition(competition=obj, stage=form.stage, changed=changed, actor=organiser, now=now)
        else:
            create_competition(competition=obj, stage=form.stage, creator=organiser, now=now)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store who organises the competition; its maker does."""
        if "organisers" not in form.changed_data:
            return
        actor = cast("Player", request.user)
        organisers = {*form.cleaned_data["organisers"], *(() if change else (actor,))}
        change_organisers(competition=form.instance, organisers=organisers, actor=actor, now=timezone.now())

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

    @admin.display(description=_("order of the table"))
    def table_order(self, competition: Competition) -> str:
        """Return the numbers that order the table, the first deciding first."""
        return ", ".join(str(TIEBREAK_NAMES[key]) for key in competition.first_stage.tiebreaks if key in TIEBREAK_NAMES)

    @admin.display(description=_("format"))
    def format_title(self, competition: Competition) -> str:
        """Return what the format is called."""
        return str(_(competition.first_stage.format_spec.label))

    @admin.display(description=_("seeds"))
    def seeding_title(self, competition: Competition) -> str:
        """Return where the seeds come from."""
        return competition.first_stage.get_seeding_display()

    @admin.display(description=_("days for each round"))
    def days_of_rounds(self, competition: Competition) -> str:
        """Return how many days each round has."""
        return str(competition.first_stage.round_days or "-")

    @admin.display(description=_("when the time of a round is over"))
    def round_end(self, competition: Competition) -> str:
        """Return what becomes of matches that go on then."""
        return competition.first_stage.get_at_round_end_display()

    @admin.display(description=_("entry after the start"), boolean=True)
    def takes_latecomers(self, competition: Competition) -> bool:
        """Return whether players may enter after the start."""
        return competition.first_stage.late_entry

    @admin.display(description=_("draw seed"))
    def draw_seed(self, competition: Competition) -> int | None:
        """Return the number from which the draw follows."""
        return competition.first_stage.draw_seed

    def find_links(self, row: Competition) -> list[Link]:
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
    list_select_related = ("winner__player",)
    played: ClassVar[Any] = {
        "fields": (
            ("format", "seeding"),
            ("round_days", "at_round_end"),
            "late_entry",
            "draw_seed",
            "winner",
        )
    }
    fieldsets: ClassVar[Any] = (WHAT, GAME, (_("Cup"), played), TABLE, ENTRY, START)


def _shown_instead(competition: Competition, fixed: Collection[str]) -> dict[str, Any]:
    """Return what shows each option that can't be changed any more, and is no column of the competition, by field."""
    spec = competition.first_stage.format_spec
    columns: dict[str, Any] = {name: shows for name, shows in READONLY_FIELDS.items() if name in fixed}
    return columns | {
        field_name(spec, option): _show_option(option) for option in options_of(spec.options) if option.name in fixed
    }


@cache
def _show_option(option: Option) -> Callable[[Competition], str]:
    """Return what the admin calls to show an option of a format: always the same, by which the admin knows it."""

    @admin.display(description=_(option.label))
    def show(competition: Competition) -> str:
        return show_value(option, competition.first_stage.options.get(option.name, option.default))

    return show


def _replace(names: Sequence[Any], shown: Mapping[str, Any], hidden: Collection[str]) -> tuple[Any, ...]:
    """Return the names of a fieldset, without those that are hidden, and with what is shown instead of others."""
    return tuple(
        _replace(name, shown, hidden) if isinstance(name, tuple) else shown.get(name, name)
        for name in names
        if name not in hidden
    )
