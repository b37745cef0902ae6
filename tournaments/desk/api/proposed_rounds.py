"""The API's endpoints to preview and draw a cup, and of the rounds that wait for organisers."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from tournaments.decisions.services.draws import draw_cup
from tournaments.office.api.base import OrganiserView
from tournaments.office.inputs import Reason
from tournaments.rounds.schemas import DrawSchema, ProposedRoundSchema, draw_to_json, proposal_to_json
from tournaments.rounds.selectors import proposed_rounds_of, read_proposals
from tournaments.rounds.services.draws import kept_draw, preview_draw
from web.api.idempotency.decorator import idempotent
from web.api.rows import rows_to_json

MAX_NUMBER = 2**63 - 1
MAX_SEEDED = 10_000


class DrawQuerySerializer(serializers.Serializer[Any]):
    """The seed by which to draw."""

    seed = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER, required=False, default=None)


class NewDrawSerializer(serializers.Serializer[Any]):
    """The options of a draw: this seed, and with these entries (ids, the first seed first) seeded by hand."""

    seed = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER, required=False, default=None, allow_null=True)
    order = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_NUMBER),
        max_length=MAX_SEEDED,
        required=False,
        default=None,
        allow_null=True,
    )
    reason = Reason(required=False).api_field()


class DrawView(OrganiserView):
    """The draw of a cup."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(operation_id="get_draw", parameters=[DrawQuerySerializer], responses=DrawSchema)
    def get(self, request: Request, slug: str) -> Response:
        """Get the draw of a cup. Before it is drawn, or with a ``seed``, get what it would be; nothing is kept.

        Once the cup has started, only its own draw can be seen.
        """
        cup, values = self.find_cup(request, slug), self.read_query()
        kept = kept_draw(competition=cup) if values["seed"] is None else None
        return Response(draw_to_json(kept or preview_draw(competition=cup, **values), is_kept=kept is not None))

    @extend_schema(operation_id="draw_cup", request=NewDrawSerializer, responses=DrawSchema)
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Draw a cup that has not started, or draw it again. Entry is closed with it."""
        cup, values = self.find_cup(request, slug), self.read_body()
        drawn = draw_cup(cup_id=cup.pk, actor=require_player(request), **values, now=current_moment())
        return Response(draw_to_json(drawn, is_kept=True))


class ProposedRoundsView(OrganiserView):
    """The rounds that wait for organisers."""

    @extend_schema(operation_id="list_proposed_rounds", responses=list[ProposedRoundSchema])
    def get(self, request: Request, slug: str) -> Response:
        """List the rounds of a competition that have been drawn and wait to be published: one of a group at most."""
        competition = self.find(request, slug)
        return Response(rows_to_json(read_proposals(proposed_rounds_of(competition)), proposal_to_json))
