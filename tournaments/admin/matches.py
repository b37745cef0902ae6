"""Matches in the admin: those of one's own events, a superuser's all. Moves and results are never edited."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display

from matches.models import Match
from tournaments.admin.access import EventFilter, GameFilter, OrganisersAdmin
from tournaments.selectors.organising import own_kind


@admin.register(Match)
class MatchAdmin(OrganisersAdmin):
    """Matches, without what only their dice may know."""

    event_path = "fixture__event"
    player_paths = ("yellow", "red")
    search_help_text = _("A whole username")
    list_display = ("number", "yellow", "red", "status", "result", "ending", "deadline", "annulled_at")
    list_filter: ClassVar = ("status", GameFilter, EventFilter)
    list_select_related = ("yellow", "red")
    actions_detail: ClassVar[list[str]] = ["show", "decide"]
    fieldsets = (
        (None, {"fields": ("game", ("yellow", "red"), "status", "rematch_of", "is_rated")}),
        (_("Progress"), {"fields": ("ply", "side", "position", "last_event_at")}),
        (
            _("Clocks"),
            {
                "fields": (
                    ("time_bank", "time_increment", "time_cap"),
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

    @display(description=_("match"))
    def number(self, match: Match) -> int:
        """The match's number."""
        return match.pk

    @display(description=_("result"))
    def result(self, match: Match) -> str:
        """The score at the end."""
        return "" if match.score_yellow is None else f"{match.score_yellow}–{match.score_red}"

    @action(description=_("Watch"), url_path="show", icon="visibility")
    def show(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Go to the match's page."""
        return HttpResponseRedirect(self._get(request, object_id).get_absolute_url())

    @action(description=_("Decide, annul, replay, more time"), url_path="decide", icon="gavel", permissions=["decide"])
    def decide(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Go to where its organisers decide what becomes of it."""
        fixture = self._get(request, object_id).fixture
        return HttpResponseRedirect(f"{own_kind(fixture.event).get_absolute_url()}organise/fixtures/{fixture.pk}/")

    def has_decide_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """A match of an event can be decided; others are their players' alone."""
        return self.get_queryset(request).filter(pk=object_id, fixture__isnull=False).exists()

    def _get(self, request: HttpRequest, object_id: str) -> Match:
        matches = self.get_queryset(request).select_related("fixture__event__cup", "fixture__event__ladder")
        match: Match = get_object_or_404(matches, pk=object_id)
        return match
