"""The matches' endpoints, except those of seeks."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches import services
from matches.api.serializers import (
    MatchFilterSerializer,
    NewMatchSerializer,
    NewMoveSerializer,
    NewTurnSerializer,
    RouteQuerySerializer,
    StepsQuerySerializer,
    TextToReplaySerializer,
)
from matches.interchange import replay_data, replay_text, write_text
from matches.models import Match
from matches.records import match_record
from matches.schemas.dice import DiceProofSchema, dice_to_json
from matches.schemas.match import MatchSchema, MatchSummarySchema, match_etag, match_summary_to_json, match_to_json
from matches.schemas.move import move_to_json
from matches.schemas.position import GameSchema, PositionSchema, game_to_json, position_to_json
from matches.schemas.record import RecordSchema, ReplaySchema, record_to_json, replay_to_json
from matches.schemas.seek import SeekSchema, seek_to_json
from matches.schemas.site_pause import SitePauseSchema, site_pause_to_json
from matches.schemas.steps import StepsSchema, StepTreeSchema, step_tree_to_json, steps_to_json
from matches.schemas.turn import (
    MoveReceiptSchema,
    PlayedMoveSchema,
    PlayedTurnSchema,
    RouteSchema,
    TurnReceiptSchema,
    route_to_json,
)
from matches.selectors.matches import BY_DEADLINE, find_matches, get_match
from matches.selectors.replay import replay, state_after
from matches.selectors.site_pauses import latest_site_pauses
from matches.services.openings import note_opening
from players.api.base import IF_NONE_MATCH
from players.current_player import current_player, require_player
from players.selectors import find_any_player
from rules_engine.record_formats import write_record
from rules_engine.registry import GAMES
from web.api.idempotency.decorator import idempotent
from web.api.negotiation import ATTACHMENT, MINIMUM, PREFER, TextRenderer, prefers_minimum
from web.api.pagination import MOMENT, NewestFirst
from web.api.strict_views import StrictListView, StrictView, read

MOVE_REQUEST = PolymorphicProxySerializer("MoveOrTurn", [NewMoveSerializer, NewTurnSerializer], None)
PlayedSchema = PlayedMoveSchema | MoveReceiptSchema | PlayedTurnSchema | TurnReceiptSchema


class GamesView(StrictView):
    """The games that can be played."""

    @extend_schema(responses=list[GameSchema], operation_id="list_games")
    def get(self, request: Request) -> Response:
        """List the games that can be played."""
        return Response([game_to_json(game) for game in GAMES.values()])


class SitePausesView(StrictView):
    """Pauses of the site."""

    @extend_schema(responses=list[SitePauseSchema], operation_id="list_pauses")
    def get(self, request: Request) -> Response:
        """List the latest pauses of the site and outages whose time was given back, the last one first."""
        return Response([site_pause_to_json(pause) for pause in latest_site_pauses()])


class ByDeadline(NewestFirst):
    """Pages of at most 100 matches to move, the one with the least time first; ``limit`` asks for fewer."""

    ordering = BY_DEADLINE
    position_pattern = MOMENT


class MatchesView(StrictListView[Match]):
    """Matches."""

    pagination_class = NewestFirst
    queryset = Match.objects.none()

    @extend_schema(
        parameters=[MatchFilterSerializer],
        responses=list[MatchSummarySchema],
        operation_id="list_matches",
    )
    def get(self, request: Request) -> Response:
        """List the matches that fit every filter, the newest first or as you order them."""
        query = self.read_query()
        if query.pop("order") == "deadline":
            self.pagination_class = ByDeadline
        to_move = require_player(request) if query.pop("turn", None) else None
        username = query.pop("player", None)
        player = find_any_player(username=username) if username is not None else None
        unknown = username is not None and player is None
        matches = find_matches(player=player, to_move=to_move, **query)
        page = self.paginate_queryset(matches.none() if unknown else matches)
        return self.get_paginated_response([match_summary_to_json(match, request.user) for match in page or []])

    @extend_schema(request=NewMatchSerializer, responses={201: MatchSchema}, operation_id="play_against_computer")
    @idempotent
    def post(self, request: Request) -> Response:
        """Start a match against the computer. A match against a person starts when a seek is taken."""
        data = self.read_body()
        match = services.play_against_computer(
            player=require_player(request),
            game=data["game"],
            level=data["level"],
            colour=data["colour"],
            now=current_moment(),
        )
        return Response(match_to_json(match, request.user), status=201)


class MatchView(StrictView):
    """A match."""

    @extend_schema(
        parameters=[IF_NONE_MATCH],
        responses={200: MatchSchema, 304: None},
        operation_id="get_match",
    )
    def get(self, request: Request, match_id: int) -> Response | HttpResponse:
        """Get a whole match as you see it."""
        match = get_match(match_id)
        note_opening(match_id=match_id, player=current_player(request))
        etag = match_etag(match, request.user)
        response = get_conditional_response(request, etag=etag)
        if response is None:
            response = Response(match_to_json(match, request.user))
        response["ETag"] = etag
        return response


class MovesView(StrictView):
    """The moves of a match."""

    @extend_schema(
        request=MOVE_REQUEST,
        parameters=[PREFER],
        responses={201: PlayedSchema, 200: PlayedSchema},
        operation_id="play_move",
    )
    def post(self, request: Request, match_id: int) -> Response:
        """Play a move, or with ``texts`` several actions of one turn: all of them or none.

        With ``across_rolls`` they go on after rolls as far as they are legal: ``not_played`` are the others. If you
        send it again, you get 200 and what is stored.
        """
        is_turn = isinstance(request.data, Mapping) and "texts" in request.data
        data = read(NewTurnSerializer if is_turn else NewMoveSerializer, request.data)
        player = require_player(request)
        note_opening(match_id=match_id, player=player)
        played = services.play_turn(
            match_id=match_id,
            player=player,
            ply=data["ply"],
            texts=data["texts"] if is_turn else [data["text"]],
            across_rolls=data.get("across_rolls", False),
            now=current_moment(),
        )
        status = 200 if played.repeated else 201
        moves = [move_to_json(move) for move in played.moves]
        stored: dict[str, Any] = {"moves": moves} if is_turn else {"move": moves[0]}
        if data.get("across_rolls"):
            stored["not_played"] = played.not_played
        if prefers_minimum(request):
            # The short answer needs no more queries than the move itself.
            summary = match_summary_to_json(played.match, request.user)
            return Response({**stored, "summary": summary}, status, headers={"Preference-Applied": MINIMUM})
        return Response({**stored, "match": match_to_json(played.match, request.user)}, status)


class StepsView(StrictView):
    """The clicks that make up a move."""

    refusals = (HTTPStatus.UNPROCESSABLE_ENTITY,)

    @extend_schema(
        parameters=[StepsQuerySerializer],
        responses=StepsSchema | StepTreeSchema,
        operation_id="get_steps",
    )
    def get(self, request: Request, match_id: int) -> Response:
        """List what the side to act may click after a prefix; with ``all=1`` after every prefix."""
        query = self.read_query()
        match = get_match(match_id)
        if query["all"]:
            return Response(step_tree_to_json(match))
        return Response(steps_to_json(match, query["prefix"]))


class RouteView(StrictView):
    """The route of a move."""

    refusals = (HTTPStatus.UNPROCESSABLE_ENTITY,)

    @extend_schema(parameters=[RouteQuerySerializer], responses=RouteSchema, operation_id="get_route")
    def get(self, request: Request, match_id: int) -> Response:
        """Get one way to play a legal move: that with the fewest touches, and then the fewest steps."""
        query = self.read_query()
        return Response(route_to_json(get_match(match_id), query["text"]))


class PositionView(StrictView):
    """A position that a match has been through."""

    @extend_schema(responses=PositionSchema, operation_id="get_position")
    def get(self, request: Request, match_id: int, ply: int) -> Response:
        """Get the position after the first ``ply`` moves and rolls."""
        return Response(position_to_json(state_after(get_match(match_id), ply), ply))


class RecordView(StrictView):
    """A match's record."""

    renderer_classes = (TextRenderer, JSONRenderer)

    @extend_schema(
        parameters=[OpenApiParameter("format", str, enum=["txt", "json"]), ATTACHMENT],
        responses={(200, "text/plain"): str, (200, "application/json"): RecordSchema},
        operation_id="get_record",
    )
    def get(self, request: Request, match_id: int, **kwargs: Any) -> Response:
        """Get the record of a match: as text, or as JSON by ``format=json`` or the Accept header."""
        record = match_record(get_match(match_id))
        chosen = request.accepted_renderer.format
        name = f'attachment; filename="kickabout-{match_id}.{chosen}"'
        body = write_record(record) if chosen == TextRenderer.format else record_to_json(record)
        return Response(body, headers={"Content-Disposition": name})


class DiceView(StrictView):
    """The proof of a match's dice."""

    @extend_schema(responses=DiceProofSchema, operation_id="get_dice_proof")
    def get(self, request: Request, match_id: int) -> Response:
        """Get the proof of the dice: every roll, and once the match is over the seed and the digests."""
        match = get_match(match_id)
        return Response(dice_to_json(match, replay(match, match.moves.all())))


class ResignView(StrictView):
    """The endpoint that resigns a match."""

    @extend_schema(request=None, responses=MatchSchema, operation_id="resign_match")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Resign a match: the opponent wins."""
        match = services.resign(match_id=match_id, player=require_player(request), now=current_moment())
        return Response(match_to_json(match, request.user))


class RematchView(StrictView):
    """The endpoint of rematches."""

    @extend_schema(request=None, responses={201: SeekSchema}, operation_id="offer_rematch")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Offer a rematch with the sides swapped, or accept the opponent's offer: then the seek has its match."""
        seek = services.offer_rematch(match_id=match_id, player=require_player(request), now=current_moment())
        return Response(seek_to_json(seek), status=201)


class MatchTextView(StrictView):
    """A match in a text of its game."""

    renderer_classes = (TextRenderer,)

    @extend_schema(parameters=[ATTACHMENT], responses={(200, "text/plain"): str}, operation_id="get_match_text")
    def get(self, request: Request, match_id: int, key: str) -> Response:
        """Get a match in one of the ``texts`` in which players of its game exchange matches elsewhere."""
        body = write_text(get_match(match_id), key)
        name = f'attachment; filename="kickabout-{match_id}.{key}.txt"'
        return Response(body, headers={"Content-Disposition": name})


class ReplaysView(StrictView):
    """Matches that were played elsewhere."""

    permission_classes = (AllowAny,)
    throttle_scope = "replays"

    @extend_schema(request=TextToReplaySerializer, responses={200: ReplaySchema}, operation_id="replay_text")
    def post(self, request: Request) -> Response:
        """Replay a record, or another text of a match, by the rules. Nothing is stored."""
        data = self.read_body()
        first_ply = data.pop("first_ply")
        replay = replay_text(**data) if "text" in data else replay_data(record=data["record"], game=data["game"])
        return Response(replay_to_json(replay, first_ply))
