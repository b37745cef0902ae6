"""The endpoints of disputes of results."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from tournaments.decisions.selectors import disputes_in
from tournaments.decisions.services.disputes import dispute_result
from tournaments.models import Dispute
from tournaments.models.dispute import MAX_DISPUTE_LENGTH
from tournaments.models.rights import Right
from tournaments.office.api.base import OrganiserView
from tournaments.office.selectors.organisers import find_competition, get_fixture
from tournaments.pages.schemas.dispute import DisputeSchema, dispute_to_json
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView, StrictView


class NewDisputeSerializer(serializers.Serializer[Any]):
    """What is wrong with a result."""

    text = serializers.CharField(max_length=MAX_DISPUTE_LENGTH, help_text="Only the organisers can read it.")


class DisputeView(StrictView):
    """Let a player dispute a result."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(request=NewDisputeSerializer, responses={201: DisputeSchema}, operation_id="dispute_result")
    @idempotent
    def post(self, request: Request, slug: str, fixture_id: int) -> Response:
        """Dispute the result of your match, or of your team's as its captain. The organisers decide."""
        player, text = require_player(request), self.read_body()["text"]
        competition = find_competition(slug, player)
        fixture = get_fixture(competition, fixture_id)
        made = dispute_result(fixture_id=fixture.pk, player=player, text=text, now=current_moment())
        return Response(dispute_to_json(disputes_in(competition).get(pk=made.pk)), status=201)


class DisputesView(StrictListView[Dispute], OrganiserView):
    """The disputes of results."""

    pagination_class = NewestFirst
    queryset = Dispute.objects.none()

    @extend_schema(responses=list[DisputeSchema], operation_id="list_disputes")
    def get(self, request: Request, slug: str) -> Response:
        """List the disputes of results in a competition that you organise or help in, the latest first."""
        page = self.paginate_queryset(disputes_in(self.find(request, slug, Right.DECIDE))) or []
        return self.get_paginated_response(rows_to_json(page, dispute_to_json))
