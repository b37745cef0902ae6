"""The endpoint by which a player plays by hand in one match what leaves no choice."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches import services
from matches.api.serializers import ByHandSerializer
from matches.schemas.match import MatchSchema, match_to_json
from players.current_player import require_player
from web.api.idempotency.decorator import answered_whole
from web.api.strict_views import StrictView


class ByHandView(StrictView):
    """Your choice in a match of what is played by itself."""

    @extend_schema(request=ByHandSerializer, responses=MatchSchema, operation_id="play_by_hand")
    @answered_whole
    def put(self, request: Request, match_id: int) -> Response:
        """Play by hand in this match what leaves you no choice, or let it be played by itself again.

        If you let it be, and it is your turn and you have no choice, your move is played at once as your own.
        """
        by_hand = self.read_body()["by_hand"]
        match = services.play_by_hand(
            match_id=match_id, player=require_player(request), by_hand=by_hand, now=current_moment()
        )
        return Response(match_to_json(match, request.user))
