"""The API's endpoint of everything that a player organises or helps in."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.desk.schemas import OwnOrganisedSchema, own_organised_to_json
from tournaments.desk.selectors import organised_before, organised_now
from tournaments.models import Competition
from tournaments.pages.schemas.competition import CompetitionSchema, competition_to_json
from web.api.pagination import NewestFirst
from web.api.strict_views import StrictListView, StrictView


class OrganisedView(StrictView):
    """The competitions that the caller runs."""

    private = True

    @extend_schema(responses=list[OwnOrganisedSchema], operation_id="list_organised_competitions")
    def get(self, request: Request) -> Response:
        """List what you organise or help in and has not ended, the newest 100, with what needs a decision of yours."""
        rows = organised_now(player=require_player(request), now=timezone.now())
        return Response([own_organised_to_json(row) for row in rows])


class OrganisedBeforeView(StrictListView[Competition]):
    """The competitions that the caller ran."""

    private = True
    pagination_class = NewestFirst
    queryset = Competition.objects.none()

    @extend_schema(responses=list[CompetitionSchema], operation_id="list_competitions_organised_before")
    def get(self, request: Request) -> Response:
        """List what you organised or helped in and is over, the newest first."""
        page = self.paginate_queryset(organised_before(player=require_player(request))) or []
        return self.get_paginated_response([competition_to_json(each) for each in page])
