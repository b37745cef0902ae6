"""Matches and their analyses in the admin: organisers see those of their competitions, superusers all.

Nothing of them is edited.
"""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from matches.models import Match, MatchAnalysis
from matches.models.time_control import TIME_CONTROL_COLUMNS
from tournaments.desk.acts import FIXTURE
from tournaments.making.admin.access import CompetitionFilter, GameFilter, Link, OrganisersAdmin, links_to_acts
from tournaments.models import Fixture


@admin.register(Match)
class MatchAdmin(OrganisersAdmin):
    """Matches, without what only their dice may know."""

    competition_path = "fixture__competition"
    player_paths = ("yellow", "red")
    list_display = ("number", "yellow", "red", "status", "result", "ending", "deadline", "annulled_at")
    list_filter: ClassVar = ("status", GameFilter, CompetitionFilter)
    list_select_related = ("yellow", "red")
    fieldsets = (
        (None, {"fields": ("game", ("yellow", "red"), "status", "rematch_of", "is_rated")}),
        (_("Progress"), {"fields": ("ply", "side", "position", "last_move_at")}),
        (
            _("Clocks"),
            {
                "fields": (
                    TIME_CONTROL_COLUMNS,
                    ("bank_yellow", "bank_red"),
                    ("turn_started_at", "deadline"),
                )
            },
        ),
        (
            _("Result"),
            {
                "fields": (
                    ("winner", "ending"),
                    ("score_yellow", "score_red"),
                    ("points_yellow", "points_red"),
                    ("finished_at", "settled_at", "annulled_at"),
                )
            },
        ),
    )

    @admin.display(description=_("match"))
    def number(self, match: Match) -> int:
        """Return the match's number."""
        return match.pk

    @admin.display(description=_("result"))
    def result(self, match: Match) -> str:
        """Return the score at the end."""
        return "" if match.score_yellow is None else f"{match.score_yellow}–{match.score_red}"

    def find_links(self, request: HttpRequest, row: Match) -> list[Link]:
        """Return links to the match's page and, in a competition, to where organisers decide about it."""
        links = [Link(_("Watch"), row.get_absolute_url())]
        fixture = Fixture.objects.select_related("competition").filter(match=row).first()
        if fixture is not None:
            links += links_to_acts(request, FIXTURE, fixture.competition, fixture)
        return links


@admin.register(MatchAnalysis)
class MatchAnalysisAdmin(OrganisersAdmin):
    """Progress of analyses, without their verdicts: those are on their pages."""

    competition_path = "match__fixture__competition"
    player_paths = ("match__yellow", "match__red")
    list_display = ("match_id", "engine", "status", "judged", "requested_by", "requested_at", "finished_at")
    list_filter: ClassVar = ("status", CompetitionFilter)
    list_select_related = ("requested_by",)
    fieldsets = (
        (None, {"fields": ("match", ("engine", "nodes", "depth"), "status", ("judged", "attempts"), "requested_by")}),
        (_("Time"), {"fields": ("requested_at", "started_at", "held_until", "finished_at")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchAnalysis]:
        """Return the rows of competitions that the user runs, without the verdicts, which are many."""
        return super().get_queryset(request).defer("verdicts")

    def find_links(self, request: HttpRequest, row: MatchAnalysis) -> list[Link]:
        """Return a link to the analysis's page."""
        return [Link(_("Open"), f"{row.match.get_absolute_url()}analysis/")]
