"""Entries and invitations, to enter and to run, in the admin."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournaments.desk.acts import ENTRY, INVITATION
from tournaments.making.admin.access import CompetitionFilter, Link, OrganisersAdmin, links_to_acts
from tournaments.models import Entry, EntryInvitation, RoleInvitation
from tournaments.models.rights import Right


@admin.register(Entry)
class EntryAdmin(OrganisersAdmin):
    """Entries are looked at; players enter by themselves or by an import, and organisers withdraw and replace them."""

    competition_path = "competition"
    player_paths = ("player",)
    list_display = ("player", "team", "competition", "status", "seed", "position", "entered_at")
    list_filter: ClassVar = (CompetitionFilter, "status")
    list_select_related = ("player", "team", "competition")
    readonly_fields = ("seed", "position", "checked_in_at")
    fields = (
        ("competition", "player", "team"),
        "status",
        ("seed", "position"),
        ("draw", "waits_since"),
        ("entered_at", "checked_in_at", "left_at", "inactive_since"),
        "replaces",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        """Return the rows of competitions that the user runs, with their seats."""
        return super().get_queryset(request).prefetch_related("seats")

    @admin.display(description=_("seed"))
    def seed(self, entry: Entry) -> int | None:
        """Return the seed in the latest stage."""
        return entry.seat.seed if entry.seat else None

    @admin.display(description=_("position"))
    def position(self, entry: Entry) -> int | None:
        """Return the position on a challenge ladder."""
        return entry.seat.position if entry.seat else None

    def find_links(self, request: HttpRequest, row: Entry) -> list[Link]:
        """Return links to what organisers can do to the entry."""
        return links_to_acts(request, ENTRY, row.competition, row)


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


@admin.register(RoleInvitation)
class RoleInvitationAdmin(OrganisersAdmin):
    """Invitations to run competitions are looked at; organisers ask and withdraw on the desk, players answer."""

    right = Right.ORGANISE
    competition_path = "competition"
    player_paths = ("player",)
    list_display = ("player", "competition", "role", "status", "invited_by", "created_at")
    list_filter: ClassVar = (CompetitionFilter, "status")
    list_select_related = ("player", "competition", "invited_by")
    fields = (("competition", "player", "role"), "status", "invited_by", "created_at")

    def find_links(self, request: HttpRequest, row: RoleInvitation) -> list[Link]:
        """Return a link to the desk's page of those who run the competition."""
        return [Link(_("Organise"), f"{row.competition.get_desk_url()}organisers/")]
