"""The endpoints of the streams: they answer like all others, and the body of the response streams."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches.selectors.matches import MAX_ID, check_matches
from players.current_player import current_player, require_player
from players.models import Player
from streams.access import access_of
from streams.echoes import take_answer
from streams.errors import StreamsElsewhere, TooManyStreams
from streams.hub import hub
from streams.responses import MEDIA_TYPE, EventStreamResponse
from streams.schemas import COMPETITION_STREAM, MATCH_STREAM, PLAYER_STREAM
from streams.stream import Stream
from streams.subscriptions import MatchSubscription, PlayerSubscription, Subscription
from streams.topics import TopicsField, matches_among, resolve_topics
from tournaments.records.competitions import public_by_slug
from web.api.openapi import EventStream
from web.api.strict_views import StrictView
from web.errors import InvalidDetails
from web.requests.client_ip import client_network

LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    str,
    OpenApiParameter.HEADER,
    description="The id of the last event that came: the stream goes on after it.",
)

STREAMS_DELAY = 60
"""Seconds after which a client that had too many streams open should try again."""


class StreamQuerySerializer(serializers.Serializer[Any]):
    """The query of a player's stream: named matches and topics, and the event after which it goes on."""

    match = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        required=False,
        default=list,
        help_text="A match that is followed too; may be given several times.",
    )
    topics = TopicsField(
        required=False,
        default=list,
        help_text=(
            "Topics that are followed too, comma separated, at most 20: `lobby`, `matches` (those worth watching), "
            "`match:<id>`, `competition:<slug>`."
        ),
    )
    updates = serializers.BooleanField(
        required=False,
        default=False,
        help_text="True if events of the named matches also bring what their pages show, where it is short.",
    )
    state = serializers.BooleanField(
        required=False,
        default=False,
        help_text="True if events of the named matches also bring what a program needs to move.",
    )
    echo = serializers.BooleanField(
        required=False,
        default=False,
        help_text=(
            "True to be sent echoes, which you answer at once: by them the clocks of your live matches allow for the "
            "way of your moves, and your opponents see that you are there."
        ),
    )
    after = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=40,
        help_text="A `Last-Event-ID` for clients that cannot send the header, which wins.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse more matches than a stream follows, whether they are named as such or as topics."""
        matches = [*attrs["match"], *matches_among(attrs["topics"])]
        if len(matches) > settings.MAX_MATCHES_PER_STREAM:
            reason = _("A stream can follow at most %(number)d matches.") % {"number": settings.MAX_MATCHES_PER_STREAM}
            raise serializers.ValidationError({"match": [reason]})
        return attrs | {"match": matches}


class MatchStreamQuerySerializer(serializers.Serializer[Any]):
    """The query of the stream of a match."""

    state = serializers.BooleanField(
        required=False, default=False, help_text="True if events also bring what a program needs to move."
    )


class EchoAnswerSerializer(serializers.Serializer[Any]):
    """The answer to an echo."""

    token = serializers.CharField(max_length=200, help_text="The token of the event `echo`.")


class EventStreamRenderer(BaseRenderer):
    """Represents streams in content negotiation; a refusal is a problem in JSON.

    It has no format of its own, so that only the Accept header asks for a stream.
    """

    media_type = MEDIA_TYPE
    format = JSONRenderer.format
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Return a refusal, encoded."""
        return JSONRenderer().render(data)


class MatchStreamView(StrictView):
    """The events of a match."""

    renderer_classes = (EventStreamRenderer,)

    @extend_schema(
        parameters=[MatchStreamQuerySerializer, LAST_EVENT_ID],
        responses={(200, MEDIA_TYPE): EventStream(MATCH_STREAM)},
        operation_id="follow_match",
    )
    def get(self, request: Request, match_id: int) -> HttpResponseBase:
        """Follow a match: a stream of what happens in it."""
        check_matches([match_id])
        states = self.read_query()["state"]
        return _open(request, MatchSubscription(match_id, _cursor(request), states=states))


class CompetitionStreamView(StrictView):
    """The events of a competition that everybody can see."""

    renderer_classes = (EventStreamRenderer,)

    @extend_schema(
        parameters=[LAST_EVENT_ID],
        responses={(200, MEDIA_TYPE): EventStream(COMPETITION_STREAM)},
        operation_id="follow_competition",
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Follow a competition: a stream of its results, its tables, and what is done in it."""
        topics = [("competition", competition) for competition in public_by_slug([slug])]
        return _open(request, PlayerSubscription(None, _cursor(request), topics=topics))


class PlayerStreamView(StrictView):
    """The events that concern the caller, and those of named matches and topics."""

    renderer_classes = (EventStreamRenderer,)

    @extend_schema(
        parameters=[StreamQuerySerializer, LAST_EVENT_ID],
        responses={(200, MEDIA_TYPE): EventStream(PLAYER_STREAM)},
        operation_id="follow_player",
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Follow what concerns you, and the matches and topics that you name: a stream of events."""
        query = self.read_query()
        player = current_player(request) if query["match"] or query["topics"] else require_player(request)
        check_matches(query["match"])
        topics = resolve_topics(query["topics"])
        cursor = _cursor(request) or query["after"]
        player_id = player.pk if player else None
        named = {"topics": topics, "updates": query["updates"], "states": query["state"], "echoes": query["echo"]}
        return _open(request, PlayerSubscription(player_id, cursor, query["match"], **named))


class EchoesView(StrictView):
    """The answers to echoes. Whoever has a token was sent it by a stream of the player."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "echoes"

    @extend_schema(request=EchoAnswerSerializer, responses={204: None}, operation_id="answer_echo")
    def post(self, request: Request) -> Response:
        """Answer an echo of your stream, within ten seconds. The token says whose it is."""
        if not take_answer(self.read_body()["token"], now=current_moment()):
            raise InvalidDetails({"token": [_("This is no echo that waits for an answer.")]})
        return Response(status=HTTPStatus.NO_CONTENT)


def _open(request: Request, subscription: Subscription) -> HttpResponseBase:
    """Return the response that streams; raises ``StreamsElsewhere`` or ``TooManyStreams``."""
    if not isinstance(request._request, ASGIRequest):  # noqa: SLF001 - which server it is only Django's request knows
        raise StreamsElsewhere(
            _("The process that serves streams is not running. Poll with entity tags until it is back.")
        )
    if request.method == "HEAD":
        return HttpResponse(content_type=MEDIA_TYPE)
    player = request.user.pk if isinstance(request.user, Player) else None
    client = f"player-{player}" if player else client_network(request)
    if not hub.has_room(client):
        raise TooManyStreams(_("You have too many open streams. Close one of them."), wait=STREAMS_DELAY)
    return EventStreamResponse(Stream(hub, subscription, client, access_of(request)))


def _cursor(request: Request) -> str:
    return request.headers.get("Last-Event-ID", "")
