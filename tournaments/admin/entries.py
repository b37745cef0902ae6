"""Who has entered, in the admin."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin

from tournaments.admin.access import EventFilter, OrganisersAdmin
from tournaments.models import Entry


@admin.register(Entry)
class EntryAdmin(OrganisersAdmin):
    """Entries are looked at; players enter by themselves or by an import, and organisers withdraw and replace them."""

    event_path = "event"
    player_paths = ("player",)
    list_display = ("player", "event", "status", "seed", "position", "entered_at")
    list_filter: ClassVar = (EventFilter, "status")
    list_select_related = ("player", "event")
    fields = (
        ("event", "player"),
        "status",
        ("seed", "position"),
        ("draw", "waits_since"),
        ("entered_at", "left_at"),
        "replaces",
    )
