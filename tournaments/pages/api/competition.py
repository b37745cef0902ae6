"""The endpoints that everybody may read of one competition."""

from functools import partial
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.api.base import IF_NONE_MATCH
from players.current_player import current_player
from tournaments.models import Entry, Fixture, LogEntry, PlaceChange, Seat, Tie
from tournaments.office.api.lookups import asked_group, named_player, tagged
from tournaments.office.api.serializers import (
    FixtureFilterSerializer,
    GroupFilterSerializer,
    PartFilterSerializer,
    PlaceFilterSerializer,
)
from tournaments.office.schemas import (
    FixtureSchema,
    RoundWithByesSchema,
    fixture_to_json,
    round_with_byes_to_json,
)
from tournaments.office.selectors.changes import listed_lines
from tournaments.office.selectors.lists import (
    fixtures_of,
    place_changes_of,
    with_players_and_rounds,
    with_players_and_stages,
)
from tournaments.office.selectors.organisers import find_competition
from tournaments.pages.pictures.bracket_parts import parts_of
from tournaments.pages.schemas.bracket import BracketRoundSchema, bracket_to_json
from tournaments.pages.schemas.competition import OwnCompetitionSchema, own_competition_to_json
from tournaments.pages.schemas.log_line import LogLineSchema, log_line_to_json
from tournaments.pages.selectors.exports import Export, ExportFormat, export_competition, parse_export
from tournaments.records.brackets import bracket_of, outline_of
from tournaments.records.cups import rounds_of, with_byes
from tournaments.records.errors import CompetitionNotFound
from tournaments.records.stages import check_numbers, is_of_parts
from tournaments.tables.api import InOrder, PartByPart, known_player
from tournaments.tables.schemas import PlaceChangeSchema, StandingSchema, place_change_to_json, standing_to_json
from tournaments.tables.selectors.records import entries_ever
from tournaments.tables.selectors.tables import table_part
from web.api.pagination import KeysFirst, NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView, StrictView
from web.limits.table import REQUESTS
from web.pages.streamed_text import stream
from web.requests.client_ip import client_network


class StandingsView(StrictListView[Seat]):
    """The table of a competition."""

    pagination_class = InOrder
    queryset = Seat.objects.none()

    @extend_schema(
        parameters=[IF_NONE_MATCH, GroupFilterSerializer],
        responses={200: list[StandingSchema], 304: None},
        operation_id="list_standings",
    )
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        """List the rows of a group's table from the top, each with its reason. Those without a place come last."""
        competition = find_competition(slug, current_player(request))
        group = asked_group(request, competition)
        read_rows = partial(table_part, stage=group.stage, group_id=group.pk)
        rows = cast("InOrder", self.paginator).paginate_table(read_rows, request)
        return tagged(request, self.get_paginated_response(rows_to_json(rows, standing_to_json)))


class PlacesView(StrictListView[PlaceChange]):
    """The changes of places in a competition's table."""

    pagination_class = KeysFirst
    queryset = PlaceChange.objects.none()

    @extend_schema(
        parameters=[PlaceFilterSerializer],
        responses=list[PlaceChangeSchema],
        operation_id="list_place_changes",
    )
    def get(self, request: Request, slug: str) -> Response:
        """List how the places of all players, or of one ``player``, changed, the latest change first.

        On a challenge ladder a change may also come from others who passed, entered or left.
        """
        competition = find_competition(slug, current_player(request))
        username = self.read_query().get("player")
        changes = place_changes_of(competition, player=named_player(username) if username else None)
        page = cast("KeysFirst", self.paginator).paginate_keys(changes, request, read=with_players_and_stages)
        return self.get_paginated_response(rows_to_json(page, place_change_to_json))


class BracketView(StrictListView[Tie]):
    """The bracket of a knock-out."""

    pagination_class = PartByPart
    queryset = Tie.objects.none()

    @extend_schema(
        parameters=[IF_NONE_MATCH, GroupFilterSerializer],
        responses={200: list[BracketRoundSchema], 304: None},
        operation_id="get_bracket",
    )
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        """Get the bracket of a group: the rounds with their ties, none before the draw.

        One of more than 127 ties comes in parts of at most six rounds each: the last rounds first, then what leads to
        each of their first ties, from the top, later rounds before earlier ones.
        """
        competition = find_competition(slug, current_player(request))
        group = asked_group(request, competition)
        if not group.stage.is_bracket:
            raise CompetitionNotFound(
                _("Stage %(number)d of this competition has no bracket.") % {"number": group.stage.number}
                if is_of_parts(group.stage)
                else _("Only a knock-out cup has a bracket.")
            )
        outlines = outline_of(group_id=group.pk)
        whole = frozenset(each.drawn.key for each in outlines)
        parts = parts_of([each.drawn for each in outlines]) or [whole]
        keys = cast("PartByPart", self.paginator).paginate_parts(parts, request)
        # A draw that is published meanwhile has ties of which there are no outlines.
        only = [each.pk for each in outlines if each.drawn.key in keys]
        rounds = bracket_to_json(bracket_of(group_id=group.pk, only=only), outlines)
        return tagged(request, self.get_paginated_response(rounds))


class RoundsView(StrictView):
    """The rounds of a group."""

    @extend_schema(parameters=[GroupFilterSerializer], responses=list[RoundWithByesSchema], operation_id="list_rounds")
    def get(self, request: Request, slug: str) -> Response:
        """List the rounds of a group in order, with who has a bye in each; none before the draw."""
        group = asked_group(request, find_competition(slug, current_player(request)))
        return Response(rows_to_json(with_byes(rounds_of(group.pk)), round_with_byes_to_json))


class FixturesView(StrictListView[Fixture]):
    """The matches of a competition."""

    pagination_class = KeysFirst
    queryset = Fixture.objects.none()

    @extend_schema(
        parameters=[FixtureFilterSerializer],
        responses=list[FixtureSchema],
        operation_id="list_fixtures",
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the matches of a competition that fit every filter, played, running or to come, the newest first."""
        query = self.read_query()
        username = query.pop("player", None)
        player = named_player(username) if username else None
        competition = find_competition(slug, current_player(request))
        check_numbers(competition, stage=query.get("stage"), group=query.get("group"))
        fixtures = fixtures_of(
            competition,
            player=player,
            stage=query.get("stage"),
            group=query.get("group"),
            number=query.get("round"),
            counted=query["counted"],
        )
        page = cast("KeysFirst", self.paginator).paginate_keys(fixtures, request, read=with_players_and_rounds)
        return self.get_paginated_response(rows_to_json(page, fixture_to_json))


class LogView(StrictListView[LogEntry]):
    """The log of a competition."""

    pagination_class = NewestFirst
    queryset = LogEntry.objects.none()

    @extend_schema(responses=list[LogLineSchema], operation_id="list_log_entries")
    def get(self, request: Request, slug: str) -> Response:
        """List what was announced, and what organisers and the rules did, the latest first."""
        competition = find_competition(slug, current_player(request))
        page = self.paginate_queryset(listed_lines(competition)) or []
        return self.get_paginated_response(rows_to_json(page, lambda line: log_line_to_json(line, competition)))


class PlayerCompetitionsView(StrictListView[Entry]):
    """The competitions of a player."""

    pagination_class = NewestFirst
    queryset = Entry.objects.none()

    @extend_schema(responses=list[OwnCompetitionSchema], operation_id="list_player_competitions")
    def get(self, request: Request, username: str) -> Response:
        """List the competitions that a player has entered, with the player's place, the latest entry first."""
        page = self.paginate_queryset(entries_ever(known_player(username))) or []
        return self.get_paginated_response(rows_to_json(page, own_competition_to_json))


class ExportView(StrictView):
    """The lists of a competition, as files."""

    @extend_schema(
        operation_id="export_competition",
        parameters=[
            OpenApiParameter("what", str, OpenApiParameter.PATH, enum=[what.value for what in Export]),
            OpenApiParameter("form", str, OpenApiParameter.PATH, enum=[form.value for form in ExportFormat]),
            PartFilterSerializer,
        ],
        responses={(200, "text/csv"): str, (200, "application/json"): list[dict[str, Any]]},
    )
    def get(self, request: Request, slug: str, what: str, form: str) -> StreamingHttpResponse:
        """Export all entries, results or standings, or those of a stage or group, in CSV or JSON."""
        competition = find_competition(slug, current_player(request))
        export, chosen = parse_export(what, form)
        part = self.read_query()
        plain: HttpRequest = request._request  # noqa: SLF001 - Django's own
        REQUESTS["exports"].of(client_network(plain)).spend()
        chunks = export_competition(competition=competition, what=export, form=chosen, **part)
        return StreamingHttpResponse(stream(plain, chunks), content_type=chosen.content_type)
