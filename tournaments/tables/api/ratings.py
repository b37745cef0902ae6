"""The endpoints of ratings, and of what a player plays in."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player, Rating
from players.selectors import find_any_player
from tournaments.making.schemas import SeasonsPlayedSchema, seasons_played_to_json
from tournaments.making.selectors.season_history import latest_seasons_of
from tournaments.models import Entry, RatingChange
from tournaments.models.errors import EntryNotFound
from tournaments.office.api.lookups import BestFirst
from tournaments.office.api.serializers import RatingFilterSerializer
from tournaments.pages.schemas.competition import OwnCompetitionSchema, own_competition_to_json
from tournaments.tables.schemas.rating import RatingChangeSchema, RatingSchema, rating_change_to_json, rating_to_json
from tournaments.tables.selectors.records import entries_ever, rating_changes, rating_list, ratings_of
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
        return Response([rating_to_json(rating) for rating in ratings_of(_player(username))])


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
        page = self.paginate_queryset(rating_changes(player=_player(username), family=query["game"])) or []
        return self.get_paginated_response([rating_change_to_json(change) for change in page])


class PlayerCompetitionsView(StrictListView[Entry]):
    """The competitions of a player."""

    pagination_class = NewestFirst
    queryset = Entry.objects.none()

    @extend_schema(responses=list[OwnCompetitionSchema], operation_id="list_player_competitions")
    def get(self, request: Request, username: str) -> Response:
        """List the competitions that a player has entered, with the player's place, the latest entry first."""
        page = self.paginate_queryset(entries_ever(_player(username))) or []
        return self.get_paginated_response([own_competition_to_json(entry) for entry in page])


class PlayerSeasonsView(StrictView):
    """The record of a player in all series."""

    @extend_schema(responses=list[SeasonsPlayedSchema], operation_id="list_player_seasons")
    def get(self, request: Request, username: str) -> Response:
        """List the latest 20 seasons that a player has played, series by series, those first that began last."""
        return Response([seasons_played_to_json(each) for each in latest_seasons_of(_player(username))])


def _player(username: str) -> Player:
    player = find_any_player(username=username)
    if player is None:
        raise EntryNotFound(_("There is no such player."))
    return player
