"""The endpoints of ladders and cups that everybody may read, and with which they are made."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import cast

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.api.base import IF_NONE_MATCH
from players.current_player import current_player, require_player
from players.models import Scope
from tournaments.making.api.drafts import EditSerializer, NewCompetitionSerializer, apply_options
from tournaments.making.recipes import RECIPES, make_stages
from tournaments.making.services.drafts import delete_draft, edit_options, find_changes, make_draft
from tournaments.models import Competition, CompetitionKind, Cup, Fixture, Ladder, LogEntry, PlaceChange, Seat, Tie
from tournaments.models.errors import CompetitionNotFound
from tournaments.office.api.lookups import InOrder, PartByPart, asked_group, find_competition, named_player, tagged
from tournaments.office.api.serializers import (
    CompetitionFilterSerializer,
    FixtureFilterSerializer,
    GroupFilterSerializer,
    PlaceFilterSerializer,
)
from tournaments.office.schemas.fixture import FixtureSchema, fixture_to_json
from tournaments.office.schemas.log import LogLineSchema, log_line_to_json
from tournaments.office.schemas.round import RoundWithByesSchema, round_with_byes_to_json
from tournaments.office.selectors.changes import listed_lines
from tournaments.office.selectors.lists import (
    fixtures_of,
    place_changes_of,
    with_players_and_rounds,
    with_players_and_stages,
)
from tournaments.office.selectors.organisers import get_organised_competition
from tournaments.pages.pictures.bracket_parts import parts_of
from tournaments.pages.schemas.bracket import BracketRoundSchema, bracket_to_json
from tournaments.pages.schemas.competition import (
    CompetitionDetailSchema,
    CompetitionSchema,
    competition_detail_to_json,
    competition_to_json,
)
from tournaments.records.brackets import bracket_of, outline_of
from tournaments.records.competitions import list_competitions
from tournaments.records.cups import rounds_of, with_byes
from tournaments.records.stages import check_numbers, is_of_parts
from tournaments.tables.schemas.standing import (
    PlaceChangeSchema,
    StandingSchema,
    place_change_to_json,
    standing_to_json,
)
from tournaments.tables.selectors.tables import table_part
from web.api.idempotency.decorator import idempotent
from web.api.idempotency.keys import IDEMPOTENCY_KEY
from web.api.pagination import KeysFirst, NewestFirst
from web.api.request_data import read
from web.api.strict_views import StrictListView, StrictView


class CompetitionsView(StrictListView[Competition]):
    """Ladders and cups."""

    write_scope = Scope.ORGANISE
    pagination_class = NewestFirst
    queryset = Competition.objects.none()

    @extend_schema(
        parameters=[CompetitionFilterSerializer], responses=list[CompetitionSchema], operation_id="list_competitions"
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the competitions that fit every filter, the newest first."""
        query = read(CompetitionFilterSerializer, request.query_params)
        kind = query.get("kind")
        competitions = list_competitions(
            kind=CompetitionKind(kind) if kind else None,
            status=query.get("status"),
            game=query.get("game"),
            query=query.get("name", ""),
        )
        if "id" in query:
            competitions = competitions.filter(pk=query["id"])
        page = self.paginate_queryset(competitions) or []
        return self.get_paginated_response([competition_to_json(competition) for competition in page])

    @extend_schema(
        request=NewCompetitionSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses={201: CompetitionDetailSchema},
        operation_id="create_competition",
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Make a competition from a recipe. It is a draft that only you see, its organiser, until you open entry."""
        values = read(NewCompetitionSerializer, request.data)
        recipe, maker = RECIPES[values["recipe"]], require_player(request)
        competition = (Ladder if recipe.kind == CompetitionKind.LADDER else Cup)(boards=recipe.boards)
        stages = make_stages(recipe)
        apply_options(competition, stages, values)
        make_draft(competition=competition, stages=stages, maker=maker, now=timezone.now())
        made = find_competition(competition.slug, maker)
        return Response(competition_detail_to_json(made, maker), status=201)


class CompetitionView(StrictView):
    """A competition."""

    write_scope = Scope.ORGANISE

    @extend_schema(
        parameters=[IF_NONE_MATCH],
        responses={200: CompetitionDetailSchema, 304: None},
        operation_id="get_competition",
    )
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        """Get a whole competition as you see it: with your entry, why you may not enter, and what a cup waits for."""
        viewer = current_player(request)
        return tagged(request, Response(competition_detail_to_json(find_competition(slug, viewer), viewer)))

    @extend_schema(
        request=EditSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses=CompetitionDetailSchema,
        operation_id="edit_competition",
    )
    @idempotent
    def patch(self, request: Request, slug: str) -> Response:
        """Change options of a competition that you organise, as far as its status allows. Its stages and formats stay.

        Once it runs, what its matches depend on is fixed, and once it is over all but its name and description.
        With a ``version``, they are changed only if nobody else has changed any since you read them.
        """
        organiser, values = require_player(request), read(EditSerializer, request.data)
        before = get_organised_competition(slug=slug, player=organiser)
        stages_before = before.all_stages
        competition, stages = deepcopy(before), deepcopy(stages_before)
        apply_options(competition, stages, values)
        changed = find_changes(before=before, after=competition, stages_before=stages_before, stages=stages)
        edit_options(
            competition=competition,
            stages=stages,
            changed=changed,
            version=values["version"],
            actor=organiser,
            reason=values["reason"],
            now=timezone.now(),
        )
        return Response(competition_detail_to_json(find_competition(slug, organiser), organiser))

    @extend_schema(parameters=[IDEMPOTENCY_KEY], responses={204: None}, operation_id="delete_draft")
    @idempotent
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a draft that you organise, with its entries. A competition that was open for entry is cancelled."""
        organiser = require_player(request)
        delete_draft(competition=get_organised_competition(slug=slug, player=organiser), actor=organiser)
        return Response(status=204)


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
        return tagged(request, self.get_paginated_response([standing_to_json(row) for row in rows]))


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
        username = read(PlaceFilterSerializer, request.query_params).get("player")
        changes = place_changes_of(competition, player=named_player(username) if username else None)
        page = cast("KeysFirst", self.paginator).paginate_keys(changes, request, read=with_players_and_stages)
        return self.get_paginated_response([place_change_to_json(change) for change in page])


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
        return Response([round_with_byes_to_json(each) for each in with_byes(rounds_of(group.pk))])


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
        query = read(FixtureFilterSerializer, request.query_params)
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
        return self.get_paginated_response([fixture_to_json(fixture) for fixture in page])


class LogView(StrictListView[LogEntry]):
    """The log of a competition."""

    pagination_class = NewestFirst
    queryset = LogEntry.objects.none()

    @extend_schema(responses=list[LogLineSchema], operation_id="list_log_entries")
    def get(self, request: Request, slug: str) -> Response:
        """List what was announced, and what organisers and the rules did, the latest first."""
        log = listed_lines(find_competition(slug, current_player(request)))
        page = self.paginate_queryset(log) or []
        return self.get_paginated_response([log_line_to_json(line) for line in page])
