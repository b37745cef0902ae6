"""The seeks' endpoints."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches import services
from matches.api.serializers import NewSeekSerializer, SeekFilterSerializer
from matches.clock import CORRESPONDENCE, InvalidClock, TimeControl
from matches.clock_sentences import clock_fault_parameters, clock_fault_sentence
from matches.errors import InvalidTimeControl, UnknownPlayer
from matches.models import Seek
from matches.schemas.match import MatchSchema, match_to_json
from matches.schemas.seek import SeekSchema, SeenSeekSchema, seek_to_json, seen_seeks_to_json
from matches.selectors.matches import get_match
from matches.selectors.seeks import find_linked_seek, get_seek, seeks_waiting_for, visible_seeks
from players.current_player import current_player, require_player
from players.models import Player
from players.selectors import find_player
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
from web.api.strict_views import StrictListView, StrictView


class SeeksView(StrictListView[Seek]):
    """Seeks and invitations."""

    pagination_class = NewestFirst
    queryset = Seek.objects.none()

    @extend_schema(
        parameters=[SeekFilterSerializer],
        responses=list[SeenSeekSchema],
        operation_id="list_seeks",
    )
    def get(self, request: Request) -> Response:
        """List the seeks that are open to everybody, and your own seeks and invitations, the newest first."""
        query = self.read_query()
        viewer = current_player(request)
        seeks = seeks_waiting_for(require_player(request)) if query.pop("for_me") else visible_seeks(viewer)
        page = self.paginate_queryset(seeks.filter(**query))
        return self.get_paginated_response(seen_seeks_to_json(page or [], viewer, now=current_moment()))

    @extend_schema(request=NewSeekSerializer, responses={201: SeekSchema}, operation_id="open_seek")
    @idempotent
    def post(self, request: Request) -> Response:
        """Open a seek for everybody or for who has its link, or invite one player. The computer accepts at once."""
        data = self.read_body()
        seek = services.open_seek(
            creator=require_player(request),
            game=data["game"],
            colour=data["colour"],
            time_control=_time_control(**data["time_control"]) if "time_control" in data else CORRESPONDENCE,
            invited=_invited(data["invited"]),
            is_rated=data["is_rated"],
            min_rating=data["min_rating"],
            max_rating=data["max_rating"],
            admits_computers=data["admits_computers"],
            by_link=data["by_link"],
            now=current_moment(),
        )
        return Response(seek_to_json(seek), status=201)


class SeekView(StrictView):
    """A seek."""

    @extend_schema(responses=SeenSeekSchema, operation_id="get_seek")
    def get(self, request: Request, seek_id: int) -> Response:
        """Get a seek, or an invitation by you or of you, whatever became of it."""
        viewer = current_player(request)
        (seen,) = seen_seeks_to_json([get_seek(seek_id, viewer)], viewer, now=current_moment())
        return Response(seen)


class TakeSeekView(StrictView):
    """The endpoint that takes a seek."""

    @extend_schema(request=None, responses={201: MatchSchema}, operation_id="take_seek")
    @idempotent
    def post(self, request: Request, seek_id: int) -> Response:
        """Take a seek or accept an invitation: the match starts."""
        match = services.take_seek(seek_id=seek_id, player=require_player(request), now=current_moment())
        return Response(match_to_json(get_match(match.pk), request.user), status=201)


class LinkView(StrictView):
    """A seek by its link."""

    @extend_schema(responses=SeenSeekSchema, operation_id="get_linked_seek", tags=["seeks"])
    def get(self, request: Request, token: str) -> Response:
        """Get a seek by the last part of its `link`, whatever became of it."""
        viewer = current_player(request)
        (seen,) = seen_seeks_to_json([find_linked_seek(token)], viewer, now=current_moment())
        return Response(seen)


class TakeLinkView(StrictView):
    """The endpoint that takes a seek by its link."""

    @extend_schema(request=None, responses={201: MatchSchema}, operation_id="take_linked_seek", tags=["seeks"])
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        """Take a seek by the last part of its `link`: the match starts. Of a guest it is casual."""
        match = services.take_by_link(token=token, player=require_player(request), now=current_moment())
        return Response(match_to_json(get_match(match.pk), request.user), status=201)


class WithdrawSeekView(StrictView):
    """The endpoint that withdraws a seek."""

    @extend_schema(request=None, responses=SeekSchema, operation_id="withdraw_seek")
    @idempotent
    def post(self, request: Request, seek_id: int) -> Response:
        """Withdraw your own seek or invitation."""
        return Response(seek_to_json(services.withdraw_seek(seek_id=seek_id, player=require_player(request))))


class DeclineSeekView(StrictView):
    """The endpoint that declines an invitation."""

    @extend_schema(request=None, responses=SeekSchema, operation_id="decline_seek")
    @idempotent
    def post(self, request: Request, seek_id: int) -> Response:
        """Decline an invitation."""
        return Response(seek_to_json(services.decline_seek(seek_id=seek_id, player=require_player(request))))


def _time_control(*, bank: int, increment: int, cap: int | None = None) -> TimeControl:
    try:
        return TimeControl.for_new_match(bank, increment, bank if cap is None else cap)
    except InvalidClock as error:
        raise InvalidTimeControl(
            clock_fault_sentence(error), fault=error.fault, parameters=clock_fault_parameters(error)
        ) from error


def _invited(username: str | None) -> Player | None:
    if username is None:
        return None
    player = find_player(username=username)
    if player is None:
        raise UnknownPlayer(_("There is no player with this username."))
    return player
