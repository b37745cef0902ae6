"""The endpoint of titles."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from players.usernames import MAX_LENGTH
from tournaments.models import Title
from tournaments.models.game_families import FAMILIES
from tournaments.models.title_names import TitleKind
from tournaments.office.api.lookups import named_player
from tournaments.tables.schemas import TitleSchema, title_to_json
from tournaments.tables.selectors.titles import LATEST_FIRST, list_titles
from web.api.pagination import NewestFirst
from web.api.request_data import read
from web.api.strict_views import StrictListView


class LatestFirst(NewestFirst):
    """Pages of at most 100 titles, the latest first; ``limit`` asks for fewer."""

    ordering = LATEST_FIRST
    position_pattern = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{6})?\+00:00")


class TitleFilterSerializer(serializers.Serializer[Any]):
    """Filters of the list of titles."""

    kind = serializers.ChoiceField(required=False, choices=[each.value for each in TitleKind])
    game = serializers.ChoiceField(
        required=False, choices=list(FAMILIES), help_text="A family of games, whose presets share titles."
    )
    player = serializers.CharField(
        required=False,
        max_length=MAX_LENGTH,
        help_text="A player's username: what they have won alone, or at the boards of teams.",
    )


class TitlesView(StrictListView[Title]):
    """The titles that players have won."""

    pagination_class = LatestFirst
    queryset = Title.objects.none()

    @extend_schema(parameters=[TitleFilterSerializer], responses=list[TitleSchema], operation_id="list_titles")
    def get(self, request: Request) -> Response:
        """List the titles that fit every filter, the latest first."""
        query = read(TitleFilterSerializer, request.query_params)
        titles = list_titles(
            kind=TitleKind(query["kind"]) if "kind" in query else None,
            family=query.get("game"),
            player=named_player(query["player"]) if "player" in query else None,
        )
        page = self.paginate_queryset(titles) or []
        return self.get_paginated_response([title_to_json(title) for title in page])
