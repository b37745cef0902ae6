"""Endpoints of the texts in which matches are exchanged."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.serializers import TextToReplaySerializer
from matches.interchange import replay_data, replay_text, write_text
from matches.schemas.record import ReplaySchema, replay_to_json
from matches.selectors.matches import get_match
from web.api.renderers import ATTACHMENT, TextRenderer
from web.api.request_data import read
from web.api.strict_views import StrictView


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
        data = read(TextToReplaySerializer, request.data)
        first_ply = data.pop("first_ply")
        replay = replay_text(**data) if "text" in data else replay_data(**data)
        return Response(replay_to_json(replay, first_ply))
