"""The endpoint with which players check in before the start."""

from http import HTTPStatus

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.entries.schemas import OwnCheckInSchema, own_check_in_to_json
from tournaments.entries.services.check_ins import check_in
from tournaments.office.selectors.organisers import find_competition
from web.api.idempotency.decorator import idempotent
from web.api.strict_views import StrictView


class CheckInView(StrictView):
    """Let a player check in before the start."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(request=None, responses={200: OwnCheckInSchema}, operation_id="check_in")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Check in before the start, in the competition or on its waiting list. Again has no effect."""
        player = require_player(request)
        competition = find_competition(slug, player)
        place = check_in(competition_id=competition.pk, player=player, now=timezone.now())
        return Response(own_check_in_to_json(place))
