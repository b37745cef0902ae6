"""Entries in the admin."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin

from tournaments.acts import ENTRY
from tournaments.admin.access import CompetitionFilter, Link, OrganisersAdmin, links_to_acts
from tournaments.models import Entry


@admin.register(Entry)
class EntryAdmin(OrganisersAdmin):
    """Entries are looked at; players enter by themselves or by an import, and organisers withdraw and replace them."""

    competition_path = "competition"
    player_paths = ("player",)
    list_display = ("player", "competition", "status", "seed", "position", "entered_at")
    list_filter: ClassVar = (CompetitionFilter, "status")
    list_select_related = ("player", "competition")
    fields = (
        ("competition", "player"),
        "status",
        ("seed", "position"),
        ("draw", "waits_since"),
        ("entered_at", "left_at", "inactive_since"),
        "replaces",
    )

    def find_links(self, row: Entry) -> list[Link]:
        """Return links to what organisers can do to the entry."""
        return links_to_acts(ENTRY, row.competition, row)
