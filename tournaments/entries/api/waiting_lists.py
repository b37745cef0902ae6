"""The endpoints with which players join and leave waiting lists."""

from http import HTTPStatus

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.entries.schemas import OwnWaitingSchema, own_waiting_to_json
from tournaments.entries.services.waiting_list import join_waiting_list, leave_waiting_list
from tournaments.office.api.serializers import NewEntrySerializer
from tournaments.office.selectors.organisers import find_competition
from tournaments.running.selectors.waiting_lists import find_own_waiting
from web.api.idempotency.decorator import idempotent
from web.api.request_data import read
from web.api.strict_views import StrictView
from web.requests.client_ip import client_network


class JoinView(StrictView):
    """Let a player wait for a place in a competition that is full."""

    @extend_schema(request=NewEntrySerializer, responses={201: OwnWaitingSchema}, operation_id="join_waiting_list")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Join the waiting list of a competition that is full. You move up by itself when a place becomes free."""
        player = require_player(request)
        waiting = join_waiting_list(
            competition_id=find_competition(slug, player).pk,
            player=player,
            password=read(NewEntrySerializer, request.data)["password"],
            client_ip=client_network(request._request),  # noqa: SLF001 - Django's request knows it
            now=timezone.now(),
        )
        return Response(own_waiting_to_json(waiting), status=201)


class LeaveView(StrictView):
    """Let a player wait for a place no longer."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(request=None, responses={204: None}, operation_id="leave_waiting_list")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Leave the waiting list of a competition. If you join it again, you are its last."""
        player = require_player(request)
        waiting = find_own_waiting(slug=slug, player=player)
        leave_waiting_list(competition_id=waiting.competition_id, player=player, now=timezone.now())
        return Response(status=204)
