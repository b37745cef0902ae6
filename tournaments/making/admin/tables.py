"""Tables, places, ratings and the log in the admin. All of them follow from results, and none is edited."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.models import Rating
from tournaments.desk.acts import LOG_LINE
from tournaments.making.admin.access import CompetitionFilter, FamilyFilter, Link, OrganisersAdmin, links_to_acts
from tournaments.models import FormerText, LogEntry, PlaceChange, RatingChange, Standing


@admin.register(Standing)
class StandingAdmin(OrganisersAdmin):
    """Rows of tables: those of one competition as they stand, of all the newest first."""

    competition_path = "group__stage__competition"
    player_paths = ("seat__entry__player",)
    list_display = ("place", "seat", "competition", "played", "points", "goals_for", "goals_against", "decided_by")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("group__stage__competition", "seat__entry__player", "seat__entry__team")

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the order of a table where one is chosen; no index has the places, so that all would be sorted."""
        is_chosen = CompetitionFilter.parameter_name in request.GET
        return ("-group", "place") if is_chosen else ("-pk",)

    @admin.display(description=_("competition"))
    def competition(self, standing: Standing) -> str:
        """Return the competition's name."""
        return str(standing.group.stage.competition)


@admin.register(PlaceChange)
class PlaceChangeAdmin(OrganisersAdmin):
    """Changes of places."""

    competition_path = "competition"
    player_paths = ("seat__entry__player",)
    list_display = ("seat", "place", "changed_at")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("seat__entry__player", "seat__entry__team")


@admin.register(LogEntry)
class LogEntryAdmin(OrganisersAdmin):
    """Logs of competitions."""

    competition_path = "competition"
    list_display = ("logged_at", "competition", "action", "subject", "actor", "interest", "reason")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("competition", "actor")

    def find_links(self, request: HttpRequest, row: LogEntry) -> list[Link]:
        """Return links to what can be done with the text of the line."""
        return links_to_acts(request, LOG_LINE, row.competition, row)


@admin.register(FormerText)
class FormerTextAdmin(OrganisersAdmin):
    """Texts of logs that organisers have changed or taken down."""

    competition_path = "line__competition"
    list_display = ("replaced_at", "line", "text", "replaced_by")
    list_select_related = ("line", "replaced_by")


class RatingsAdmin(OrganisersAdmin):
    """Ratings belong to no competition: they are public, and everybody on the staff sees them."""

    player_paths = ("player",)
    list_filter: ClassVar = (FamilyFilter,)
    list_select_related = ("player",)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return all rows."""
        return super(OrganisersAdmin, self).get_queryset(request)


@admin.register(Rating)
class RatingAdmin(RatingsAdmin):
    """Rows of tables."""

    list_display = ("player", "family", "rating", "games", "wins", "rank")


@admin.register(RatingChange)
class RatingChangeAdmin(RatingsAdmin):
    """Rating changes by matches."""

    list_display = ("player", "family", "before", "after", "match_id", "finished_at")
