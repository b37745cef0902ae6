"""The endpoint by which programs and pages find players by the beginning of their usernames."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.api.serializers import BeginningSerializer
from players.current_player import require_player
from players.selectors import find_usernames
from web.request_data import read
from web.strict_views import StrictView


class UsernamesView(StrictView):
    """Usernames by their beginning."""

    @extend_schema(operation_id="find_usernames", parameters=[BeginningSerializer], responses=list[str])
    def get(self, request: Request) -> Response:
        """List up to ten usernames that begin with a text, in any case of letters; guests and closed accounts never."""
        require_player(request)
        return Response(find_usernames(beginning=read(BeginningSerializer, request.query_params)["beginning"]))
