"""Ladders and cups in the admin: made and set up here, run on their organisers' page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from matches.models.time_control import TIME_CONTROL_COLUMNS
from players.models import Player
from tournaments.admin.access import GameFilter, Link, OrganisersAdmin
from tournaments.admin.forms import CompetitionForm, CupForm, LadderForm
from tournaments.models import Cup, Ladder
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


READONLY_FIELDS = {"game": "game_title", "point_table": "match_points", "tiebreaks": "table_order"}
PASSWORD_FIELDS = frozenset({"new_password", "no_password"})


class CompetitionAdmin(OrganisersAdmin):
    """The admin of ladders and cups alike. Staff who create a competition organise it."""

    form: type[CompetitionForm]
    competition_path = "pk"
    list_filter: ClassVar = ("status", GameFilter)
    search_fields = ("name", "slug")
    search_help_text = _("Part of the name or of the slug")
    readonly_always: ClassVar[tuple[str, ...]] = ("status",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let staff make competitions."""
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let staff change the competitions that their lists are limited to."""
        return self.has_module_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | Cup | None = None) -> tuple[str, ...]:
        """Return what can't be changed any more, and what is never changed here."""
        if obj is None:
            return self.readonly_always
        fixed = fixed_options(competition=obj)
        replacements = {READONLY_FIELDS[name] for name in fixed & READONLY_FIELDS.keys()}
        hidden = PASSWORD_FIELDS if "password" in fixed else frozenset()
        return (*self.readonly_always, *sorted((fixed - {"password"}) | replacements | hidden))

    def get_fieldsets(self, request: HttpRequest, obj: Ladder | Cup | None = None) -> Any:
        """Return all options: those that can't be changed any more read-only, the password's then not at all."""
        fixed = set(self.get_readonly_fields(request, obj))

        def shown(names: Sequence[Any]) -> tuple[Any, ...]:
            visible = (name for name in names if name not in fixed & PASSWORD_FIELDS)
            return tuple(READONLY_FIELDS.get(name, name) if name in fixed else name for name in visible)

        fieldsets = super().get_fieldsets(request, obj)
        return [(title, {**options, "fields": shown(options["fields"])}) for title, options in fieldsets]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Store a new competition, or the changed options of one."""
        organiser, now = cast("Player", request.user), timezone.now()
        if change:
            change_competition(competition=obj, changed=form.changed_options(), actor=organiser, now=now)
        else:
            create_competition(competition=obj, creator=organiser, now=now)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store who organises the competition; its maker does."""
        if "organisers" not in form.changed_data:
            return
        actor = cast("Player", request.user)
        organisers = {*form.cleaned_data["organisers"], *(() if change else (actor,))}
        change_organisers(competition=form.instance, organisers=organisers, actor=actor, now=timezone.now())

    @admin.display(description=_("status"))
    def stage(self, competition: Ladder | Cup) -> str:
        """Return how far the competition has come."""
        return format_html('<span class="chip {}">{}</span>', competition.status, competition.get_status_display())

    @admin.display(description=_("game"))
    def game_title(self, competition: Ladder | Cup) -> str:
        """Return the game's title."""
        return competition.rules.title

    @admin.display(description=_("match points"))
    def match_points(self, competition: Ladder | Cup) -> str:
        """Return what a match is worth."""
        return points_sentence(competition.scoring)

    @admin.display(description=_("order of the table"))
    def table_order(self, competition: Ladder | Cup) -> str:
        """Return the numbers that order the table, the first deciding first."""
        return ", ".join(str(TIEBREAK_NAMES[key]) for key in competition.tiebreaks if key in TIEBREAK_NAMES)

    def find_links(self, row: Ladder | Cup) -> list[Link]:
        """Return links to the competition's page and to its organisers' page."""
        page = row.get_absolute_url()
        return [Link(_("Organise"), f"{page}organise/"), Link(_("The players' page"), page)]


@admin.register(Ladder)
class LadderAdmin(CompetitionAdmin):
    """Ladders."""

    form = LadderForm
    list_display = ("name", "stage", "game_title", "system", "created_at")
    fieldsets: ClassVar[Any] = (
        WHAT,
        GAME,
        (
            _("Ladder"),
            {
                "fields": (
                    "system",
                    ("window_days", "best_results", "min_matches"),
                    ("games_each", "rematch_days"),
                    ("max_outgoing", "max_incoming"),
                    ("inactive_days", "return_days"),
                )
            },
        ),
        TABLE,
        ENTRY,
        START,
    )


@admin.register(Cup)
class CupAdmin(CompetitionAdmin):
    """Cups."""

    form = CupForm
    list_display = ("name", "stage", "game_title", "format", "created_at")
    readonly_always = ("status", "draw_seed", "winner")
    list_select_related = ("winner__player",)
    fieldsets: ClassVar[Any] = (
        WHAT,
        GAME,
        (
            _("Cup"),
            {
                "fields": (
                    ("format", "seeding"),
                    ("legs", "replays", "third_place"),
                    "cycles",
                    ("round_days", "at_round_end"),
                    "late_entry",
                    "draw_seed",
                    "winner",
                )
            },
        ),
        TABLE,
        ENTRY,
        START,
    )
