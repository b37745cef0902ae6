"""Teams in the admin: who is in them, and since when. Captains change them on the site."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from players.admin.lists import BoundedAdmin
from tournaments.models import Team, TeamMembership


class ReadOnlyAdmin(BoundedAdmin):
    """Rows that are looked at: services alone change them."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse to add a row."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to change a row."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to delete a row."""
        return False


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    """Teams, also those that have been closed."""

    list_display = ("name", "captain", "created_at", "closed_at")
    list_select_related = ("captain",)
    player_paths = ("captain",)
    fields: ClassVar[Any] = (
        ("name", "slug"),
        ("pattern", "first_colour", "second_colour"),
        "captain",
        ("created_at", "closed_at"),
    )


@admin.register(TeamMembership)
class TeamMembershipAdmin(ReadOnlyAdmin):
    """Invitations to teams, and who is or was a member."""

    list_display = ("player", "team", "status", "invited_by", "invited_at", "joined_at", "ended_at")
    list_filter = ("status",)
    list_select_related = ("player", "team", "invited_by")
    player_paths = ("player",)
    fields: ClassVar[Any] = (("team", "player"), "status", "invited_by", ("invited_at", "joined_at", "ended_at"))
