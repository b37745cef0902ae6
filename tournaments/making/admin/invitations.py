"""Invitations in the admin."""

from typing import ClassVar

from django.contrib import admin
from django.http import HttpRequest

from tournaments.desk.acts import INVITATION
from tournaments.making.admin.access import CompetitionFilter, Link, OrganisersAdmin, links_to_acts
from tournaments.models import EntryInvitation
from tournaments.models.rights import Right


@admin.register(EntryInvitation)
class EntryInvitationAdmin(OrganisersAdmin):
    """Invitations are looked at; organisers invite and withdraw on the desk, players answer."""

    right = Right.ORGANISE
    competition_path = "competition"
    player_paths = ("player",)
    list_display = ("player", "team", "competition", "status", "invited_by", "created_at", "answered_at")
    list_filter: ClassVar = (CompetitionFilter, "status")
    list_select_related = ("player", "team", "competition", "invited_by")
    fields = (
        ("competition", "player", "team"),
        "status",
        "invited_by",
        ("created_at", "asked_at", "answered_at"),
        "replaces",
    )

    def find_links(self, request: HttpRequest, row: EntryInvitation) -> list[Link]:
        """Return links to the desk's page of invitations, and to what organisers can do to this one."""
        return links_to_acts(request, INVITATION, row.competition, row)
