"""Reading what a request says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from rest_framework.request import Request
from rest_framework.serializers import Serializer

from players.models import Player


def read(serializer: type[Serializer[Any]], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data in the serializer's shape; raises ``ValidationError``."""
    shape = serializer(data=data)
    shape.is_valid(raise_exception=True)
    return dict(shape.validated_data)


def player_of(request: Request) -> Player:
    """Return who sends a request that only players may send."""
    return cast("Player", request.user)
