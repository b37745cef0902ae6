"""The endpoints of ladders and cups as a whole, and with which they are made."""

from copy import deepcopy

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.api.base import IF_NONE_MATCH
from players.current_player import current_player, require_player
from players.models import Scope
from tournaments.making.api.drafts import EditSerializer, NewCompetitionSerializer, apply_options
from tournaments.making.recipes import RECIPES, make_stages
from tournaments.making.services.drafts import delete_draft, edit_options, find_changes, make_draft
from tournaments.models import Competition, CompetitionKind, Cup, Ladder
from tournaments.office.api.lookups import tagged
from tournaments.office.api.serializers import CompetitionFilterSerializer
from tournaments.office.selectors.organisers import find_competition, get_organised_competition
from tournaments.pages.schemas.competition import (
    CompetitionDetailSchema,
    CompetitionSchema,
    competition_detail_to_json,
    competition_to_json,
)
from tournaments.records.competitions import list_competitions
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
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

    @extend_schema(request=EditSerializer, responses=CompetitionDetailSchema, operation_id="edit_competition")
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

    @extend_schema(responses={204: None}, operation_id="delete_draft")
    @idempotent
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a draft that you organise, with its entries. A competition that was open for entry is cancelled."""
        organiser = require_player(request)
        delete_draft(competition=get_organised_competition(slug=slug, player=organiser), actor=organiser)
        return Response(status=204)
