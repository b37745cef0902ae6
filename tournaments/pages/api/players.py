"""The endpoint of the competitions of a player."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import Entry
from tournaments.pages.schemas.competition import OwnCompetitionSchema, own_competition_to_json
from tournaments.tables.api.ratings import known_player
from tournaments.tables.selectors.records import entries_ever
from web.api.pagination import NewestFirst
from web.api.strict_views import StrictListView


class PlayerCompetitionsView(StrictListView[Entry]):
    """The competitions of a player."""

    pagination_class = NewestFirst
    queryset = Entry.objects.none()

    @extend_schema(responses=list[OwnCompetitionSchema], operation_id="list_player_competitions")
    def get(self, request: Request, username: str) -> Response:
        """List the competitions that a player has entered, with the player's place, the latest entry first."""
        page = self.paginate_queryset(entries_ever(known_player(username))) or []
        return self.get_paginated_response([own_competition_to_json(entry) for entry in page])
