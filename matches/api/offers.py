"""The endpoints by which a player aborts a match, offers something to the opponent, or answers an offer."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches import services
from matches.api.serializers import OfferSerializer
from matches.models import OfferKind
from matches.schemas.match import MatchSchema, match_to_json
from players.current_player import require_player
from web.api.idempotency.decorator import idempotent
from web.api.strict_views import StrictView


class AbortView(StrictView):
    """The endpoint that aborts a match."""

    @extend_schema(request=None, responses=MatchSchema, operation_id="abort_match")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Abort a match outside of competitions before both sides have moved: it has no result and counts nowhere."""
        match = services.abort(match_id=match_id, player=require_player(request), now=current_moment())
        return Response(match_to_json(match, request.user))


class OfferView(StrictView):
    """The endpoint of offers."""

    @extend_schema(request=OfferSerializer, responses=MatchSchema, operation_id="make_offer")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Offer something to the opponent in a match outside of competitions. It stands until somebody moves.

        Where the opponent has offered to cancel, or a draw, the same offer accepts theirs.
        """
        kind = OfferKind(self.read_body()["kind"])
        match = services.make_offer(match_id=match_id, player=require_player(request), kind=kind, now=current_moment())
        return Response(match_to_json(match, request.user))


class AcceptOfferView(StrictView):
    """The endpoint that accepts an offer."""

    @extend_schema(request=OfferSerializer, responses=MatchSchema, operation_id="accept_offer")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Accept what the opponent offers."""
        kind = OfferKind(self.read_body()["kind"])
        match = services.accept_offer(
            match_id=match_id, player=require_player(request), kind=kind, now=current_moment()
        )
        return Response(match_to_json(match, request.user))


class DeclineOfferView(StrictView):
    """The endpoint that declines an offer."""

    @extend_schema(request=None, responses=MatchSchema, operation_id="decline_offer")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Decline what the opponent offers, or withdraw your own offer."""
        match = services.decline_offer(match_id=match_id, player=require_player(request), now=current_moment())
        return Response(match_to_json(match, request.user))
