"""Rounds, ties and fixtures in the admin: looked at here, decided on the organisers' page."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from tournaments.desk.acts import FIXTURE, ROUND
from tournaments.making.admin.access import CompetitionFilter, Link, OrganisersAdmin, links_to_acts
from tournaments.models import OF_TIES, SITTING, Correction, Dispute, Fixture, Round, Tie


@admin.register(Round)
class RoundAdmin(OrganisersAdmin):
    """Rounds of cups."""

    competition_path = "group__stage__competition"
    list_display = ("number", "competition", "started_at", "ends_at", "ended_at")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("group__stage__competition",)

    @admin.display(description=_("cup"))
    def competition(self, round_: Round) -> str:
        """Return the cup's name."""
        return str(round_.group.stage.competition)

    def find_links(self, request: HttpRequest, row: Round) -> list[Link]:
        """Return links to what organisers can do to the round."""
        return links_to_acts(request, ROUND, row.group.stage.competition, row)


@admin.register(Tie)
class TieAdmin(OrganisersAdmin):
    """Ties of knock-outs."""

    competition_path = "round__group__stage__competition"
    player_paths = ("first__player", "second__player")
    list_display = ("tie", "cup", "number", "winner", "decided_by", "decided_at")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("round__group__stage__competition", *OF_TIES, "winner__player", "winner__team")

    @admin.display(description=_("tie"))
    def tie(self, tie: Tie) -> str:
        """Return both entrants."""
        return str(tie)

    @admin.display(description=_("cup"))
    def cup(self, tie: Tie) -> str:
        """Return the cup's name."""
        return str(tie.round.group.stage.competition)

    @admin.display(description=_("round"))
    def number(self, tie: Tie) -> int:
        """Return the round's number."""
        return tie.round.number


@admin.register(Fixture)
class FixtureAdmin(OrganisersAdmin):
    """Fixtures and what they count."""

    competition_path = "competition"
    player_paths = ("yellow__player", "red__player", "yellow_player", "red_player")
    list_display = (
        "fixture",
        "competition",
        "result",
        "points_text",
        "ending",
        "is_annulled",
        "match_link",
        "created_at",
    )
    list_filter: ClassVar = (CompetitionFilter, "is_annulled")
    list_select_related = ("competition", *SITTING)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fixture]:
        """Return the rows of competitions that the user runs, with all players whom a row's page names."""
        named = ("challenger__player", *(f"tie__{path}" for path in OF_TIES))
        return super().get_queryset(request).select_related(*self.list_select_related, *named)

    def find_links(self, request: HttpRequest, row: Fixture) -> list[Link]:
        """Return links to what organisers can do to the fixture."""
        return links_to_acts(request, FIXTURE, row.competition, row)

    @admin.display(description=_("fixture"))
    def fixture(self, fixture: Fixture) -> str:
        """Return both entrants, Yellow first."""
        return str(fixture)

    @admin.display(description=_("result"))
    def result(self, fixture: Fixture) -> str:
        """Return the goals."""
        return "" if fixture.goals is None else f"{fixture.goals.yellow}–{fixture.goals.red}"

    @admin.display(description=_("match points"))
    def points_text(self, fixture: Fixture) -> str:
        """Return the match points."""
        return "" if fixture.points is None else f"{fixture.points.yellow}–{fixture.points.red}"

    @admin.display(description=_("match"))
    def match_link(self, fixture: Fixture) -> str:
        """Return a link to the match's page."""
        if fixture.match_id is None:
            return ""
        return format_html('<a href="/matches/{0}/">{0}</a>', fixture.match_id)


@admin.register(Correction)
class CorrectionAdmin(OrganisersAdmin):
    """Results that were decided on in place of those that fixtures had."""

    competition_path = "fixture__competition"
    player_paths = tuple(f"fixture__{path}" for path in FixtureAdmin.player_paths)
    list_display = ("decided_at", "fixture", "competition", "points_text", "goals_text", "is_rated", "cause")
    list_filter: ClassVar = (CompetitionFilter, "is_rated")
    list_select_related = ("fixture__competition", *(f"fixture__{path}" for path in SITTING), "cause")

    @admin.display(description=_("competition"))
    def competition(self, correction: Correction) -> str:
        """Return the competition's name."""
        return str(correction.fixture.competition)

    @admin.display(description=_("match points"))
    def points_text(self, correction: Correction) -> str:
        """Return the match points."""
        return f"{correction.points.yellow}–{correction.points.red}"

    @admin.display(description=_("goals"))
    def goals_text(self, correction: Correction) -> str:
        """Return the goals."""
        return f"{correction.goals.yellow}–{correction.goals.red}"


@admin.register(Dispute)
class DisputeAdmin(OrganisersAdmin):
    """Objections of players to results, which organisers decide on their page of the fixture."""

    competition_path = "fixture__competition"
    player_paths = ("player",)
    list_display = ("disputed_at", "fixture", "competition", "player", "text", "dismissal")
    list_filter: ClassVar = (CompetitionFilter,)
    list_select_related = ("fixture__competition", *(f"fixture__{path}" for path in SITTING), "player", "dismissal")

    @admin.display(description=_("competition"))
    def competition(self, dispute: Dispute) -> str:
        """Return the competition's name."""
        return str(dispute.fixture.competition)

    def find_links(self, request: HttpRequest, row: Dispute) -> list[Link]:
        """Return links to what organisers can do to the fixture."""
        return links_to_acts(request, FIXTURE, row.fixture.competition, row.fixture)
