"""Who asks, and for what: shared by the players' endpoints."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from players.api.authentication import PasswordAuthentication
from players.models import Player


class KeyholderView(APIView):
    """For what a token may not do: a session in the browser, or HTTP Basic with the password."""

    authentication_classes = (PasswordAuthentication, SessionAuthentication)
    private = True


def own_player(request: Request) -> Player:
    """The player who asks; raises NotAuthenticated."""
    if not isinstance(request.user, Player):
        raise NotAuthenticated
    return request.user


def read_body(serializer: type[Any], request: Request, *, partial: bool = False) -> dict[str, Any]:
    """What the request says, in the serializer's shape; raises ValidationError."""
    shape = serializer(data=request.data, partial=partial)
    shape.is_valid(raise_exception=True)
    return dict(shape.validated_data)
