"""The endpoints of ratings."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player, Rating
from players.selectors import find_any_player
from tournaments.models import RatingChange
from tournaments.office.api.serializers import RatingFilterSerializer
from tournaments.office.errors import EntryNotFound
from tournaments.tables.api.pagination import BestFirst
from tournaments.tables.schemas import RatingChangeSchema, RatingSchema, rating_change_to_json, rating_to_json
from tournaments.tables.selectors.records import rating_changes, rating_list, ratings_of
from web.api.pagination import NewestFirst
from web.api.request_data import read
from web.api.strict_views import StrictListView, StrictView


class RatingsView(StrictListView[Rating]):
    """The rating list of a game."""

    pagination_class = BestFirst
    queryset = Rating.objects.none()

    @extend_schema(parameters=[RatingFilterSerializer], responses=list[RatingSchema], operation_id="list_ratings")
    def get(self, request: Request) -> Response:
        """List the ratings of everybody who has played a rated match, the best first."""
        query = read(RatingFilterSerializer, request.query_params)
        page = self.paginate_queryset(rating_list(query["game"])) or []
        return self.get_paginated_response([rating_to_json(rating) for rating in page])


class PlayerRatingsView(StrictView):
    """A player's ratings."""

    @extend_schema(responses=list[RatingSchema], operation_id="list_player_ratings")
    def get(self, request: Request, username: str) -> Response:
        """List the ratings of a player, one for each family of games with a rated match."""
        return Response([rating_to_json(rating) for rating in ratings_of(known_player(username))])


class RatingHistoryView(StrictListView[RatingChange]):
    """The changes of a player's rating."""

    pagination_class = NewestFirst
    queryset = RatingChange.objects.none()

    @extend_schema(
        parameters=[RatingFilterSerializer],
        responses=list[RatingChangeSchema],
        operation_id="list_rating_changes",
    )
    def get(self, request: Request, username: str) -> Response:
        """List what each rated match did to a player's rating, the latest first."""
        query = read(RatingFilterSerializer, request.query_params)
        page = self.paginate_queryset(rating_changes(player=known_player(username), family=query["game"])) or []
        return self.get_paginated_response([rating_change_to_json(change) for change in page])


def known_player(username: str) -> Player:
    """Return the player with this username, of a closed account too. Raises ``EntryNotFound``."""
    player = find_any_player(username=username)
    if player is None:
        raise EntryNotFound(_("There is no such player."))
    return player
