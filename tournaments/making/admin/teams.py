"""Teams in the admin: who is in them, since when, and their line-ups. Captains change them on the site."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournaments.desk.acts import ENTRY
from tournaments.making.admin.access import CompetitionFilter, Link, OrganisersAdmin, ReadOnlyAdmin
from tournaments.models import LineUp, Team, TeamMembership
from tournaments.models.rights import Right
from tournaments.teams.selectors.line_ups import usernames_in


class OfTeamsAdmin(ReadOnlyAdmin):
    """Rows of teams, searched by the whole name of one, too; ``name_path`` leads to the name that is compared."""

    name_path: ClassVar[str]
    search_help_text = _("A part of a username, three letters or more, or the whole name of a team")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows of the team that is called so, in any case of letters, or else those of the player."""
        named = queryset.filter(**{self.name_path: " ".join(search_term.split()).casefold()})
        if search_term.strip() and named.exists():
            return named, False
        return super().get_search_results(request, queryset, search_term)


@admin.register(Team)
class TeamAdmin(OfTeamsAdmin):
    """Teams, also those that have been closed."""

    name_path = "folded_name"
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
class TeamMembershipAdmin(OfTeamsAdmin):
    """Invitations to teams, and who is or was a member."""

    name_path = "team__folded_name"
    list_display = ("player", "team", "status", "invited_by", "invited_at", "joined_at", "ended_at")
    list_filter = ("status",)
    list_select_related = ("player", "team", "invited_by")
    player_paths = ("player",)
    fields: ClassVar[Any] = (("team", "player"), "status", "invited_by", ("invited_at", "joined_at", "ended_at"))


@admin.register(LineUp)
class LineUpAdmin(OfTeamsAdmin, OrganisersAdmin):
    """Line-ups are looked at, also of rounds to come; captains set them, and organisers on the desk."""

    right = Right.ORGANISE
    name_path = "entry__team__folded_name"
    competition_path = "entry__competition"
    player_paths = ("set_by",)
    list_display = ("entry", "competition", "round_number", "set_by", "set_at")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("entry__team", "entry__player", "entry__competition", "set_by")
    readonly_fields = ("competition", "seats")
    fields = (("competition", "entry"), "round_number", "seats", ("set_by", "set_at"))

    @admin.display(description=_("competition"))
    def competition(self, line_up: LineUp) -> str:
        """Return the name of the competition."""
        return line_up.entry.competition.name

    @admin.display(description=_("players"))
    def seats(self, line_up: LineUp) -> str:
        """Return the usernames, that of the first board first."""
        return ", ".join(usernames_in(line_up.players))

    def find_links(self, request: HttpRequest, row: LineUp) -> list[Link]:
        """Return a link to the team's entry on the desk."""
        return [Link(_("Organise"), f"{row.entry.competition.get_desk_url()}{ENTRY.page_of(row.entry)}")]
