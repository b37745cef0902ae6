"""The endpoints of competitions that come again."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.api.base import IF_NONE_MATCH
from players.current_player import current_player, require_player
from players.models import Scope
from tournaments.making.schemas import (
    PastSeasonSchema,
    SeasonSchema,
    SeasonsPlayedSchema,
    SeriesDetailSchema,
    SeriesSchema,
    past_season_to_json,
    season_to_json,
    seasons_played_to_json,
    series_detail_to_json,
    series_to_json,
)
from tournaments.making.selectors.season_history import latest_seasons_of, seasons_of_player
from tournaments.making.selectors.series import get_series, list_series, seasons_of
from tournaments.making.services.series import MAX_DAYS, edit_series, end_series, make_series
from tournaments.models import Competition, Series
from tournaments.models.carry_overs import CARRY_OVERS
from tournaments.models.season_dates import Rhythm
from tournaments.models.series import MAX_ANNOUNCE_DAYS, MAX_SERIES_NAME
from tournaments.office.api.lookups import named_player, tagged
from tournaments.office.selectors.organisers import get_organised_competition
from tournaments.tables.api import known_player
from web.api.idempotency.decorator import idempotent
from web.api.moment_fields import MomentField
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import RefusableView, StrictListView, StrictView

MAX_SLUG_LENGTH = 80
MAX_DAY_LENGTH = 5


class SeriesEditSerializer(serializers.Serializer[Any]):
    """The options of a series that you change. Those that you leave out stay as they are."""

    name = serializers.CharField(required=False, max_length=MAX_SERIES_NAME)
    rhythm = serializers.ChoiceField(required=False, choices=[each.value for each in Rhythm])
    anchor = MomentField(required=False, help_text="The hour of every start, and the day of the week or the month.")
    days = serializers.ListField(
        child=serializers.CharField(max_length=MAX_DAY_LENGTH),
        required=False,
        max_length=MAX_DAYS,
        help_text="Of the year, such as `05-01`, for the rhythm `dates`.",
    )
    announce_days = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_ANNOUNCE_DAYS, help_text="Days of entry before a season is due."
    )
    carry_over = serializers.ChoiceField(required=False, choices=list(CARRY_OVERS))
    overlap = serializers.BooleanField(
        required=False, help_text="True if a season starts on its date even if earlier ones still go on."
    )
    year_final = serializers.BooleanField(
        required=False, help_text="True if the winners of a year's seasons meet in a final."
    )


class NewSeriesSerializer(SeriesEditSerializer):
    """A series to be made of a competition, its season 1."""

    competition = serializers.SlugField(max_length=MAX_SLUG_LENGTH, help_text="The slug of one that you organise.")
    rhythm = serializers.ChoiceField(choices=[each.value for each in Rhythm])


class SeriesEndSerializer(serializers.Serializer[Any]):
    """With what a series ends."""

    year_final = serializers.BooleanField(
        required=False,
        default=True,
        help_text="True if winners of its seasons still meet in the final of their year; false can be said later, too.",
    )


class SeriesListView(StrictListView[Series]):
    """Competitions that come again."""

    write_scope = Scope.ORGANISE
    pagination_class = NewestFirst
    queryset = Series.objects.none()
    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(responses=list[SeriesSchema], operation_id="list_series")
    def get(self, request: Request) -> Response:
        """List the competitions that come again, the newest first."""
        page = self.paginate_queryset(list_series()) or []
        return self.get_paginated_response(rows_to_json(page, series_to_json))

    @extend_schema(request=NewSeriesSerializer, responses={201: SeriesDetailSchema}, operation_id="create_series")
    @idempotent
    def post(self, request: Request) -> Response:
        """Let a competition that you organise come again. It is season 1; the next ones are made like the last one."""
        values, maker = dict(self.read_body()), require_player(request)
        competition = get_organised_competition(slug=values.pop("competition"), player=maker)
        made = make_series(competition=competition, options=values, actor=maker, now=current_moment())
        return Response(series_detail_to_json(made, now=current_moment()), status=201)


class SeriesView(RefusableView):
    """A competition that comes again."""

    write_scope = Scope.ORGANISE

    @extend_schema(
        parameters=[IF_NONE_MATCH], responses={200: SeriesDetailSchema, 304: None}, operation_id="get_series"
    )
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        """Get a series with the season to come."""
        series = get_series(slug=slug, player=current_player(request))
        return tagged(request, Response(series_detail_to_json(series, now=current_moment())))

    @extend_schema(request=SeriesEditSerializer, responses=SeriesDetailSchema, operation_id="edit_series")
    @idempotent
    def patch(self, request: Request, slug: str) -> Response:
        """Change a series whose last season you organise. A season that is announced stays as it is."""
        organiser = require_player(request)
        series = get_series(slug=slug, player=organiser)
        values = self.read_body()
        changed = edit_series(series_id=series.pk, options=values, actor=organiser, now=current_moment())
        return Response(series_detail_to_json(changed, now=current_moment()))


class EndSeriesView(StrictView):
    """The end of a series."""

    write_scope = Scope.ORGANISE

    @extend_schema(request=SeriesEndSerializer, responses=SeriesDetailSchema, operation_id="end_series")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Let no further season come. Seasons that are announced or running go on."""
        organiser = require_player(request)
        series = get_series(slug=slug, player=organiser)
        values = self.read_body()
        ended = end_series(series_id=series.pk, actor=organiser, now=current_moment(), **values)
        return Response(series_detail_to_json(ended, now=current_moment()))


class SeasonsView(StrictListView[Competition]):
    """The seasons of a series."""

    pagination_class = NewestFirst
    queryset = Competition.objects.none()

    @extend_schema(responses=list[SeasonSchema], operation_id="list_seasons")
    def get(self, request: Request, slug: str) -> Response:
        """List the seasons of a series with their winners, the latest first."""
        page = self.paginate_queryset(seasons_of(get_series(slug=slug, player=current_player(request)))) or []
        return self.get_paginated_response(rows_to_json(page, season_to_json))


class SeasonsOfPlayerView(StrictView):
    """The record of a player in a series."""

    @extend_schema(responses=list[PastSeasonSchema], operation_id="list_seasons_of_player")
    def get(self, request: Request, slug: str, username: str) -> Response:
        """List the seasons that a player has played, with leagues and places, the latest first."""
        past = seasons_of_player(get_series(slug=slug, player=current_player(request)), named_player(username))
        return Response(rows_to_json(past, past_season_to_json))


class PlayerSeasonsView(StrictView):
    """The record of a player in all series."""

    @extend_schema(responses=list[SeasonsPlayedSchema], operation_id="list_player_seasons")
    def get(self, request: Request, username: str) -> Response:
        """List the latest 20 seasons that a player has played, series by series, those first that began last."""
        return Response(rows_to_json(latest_seasons_of(known_player(username)), seasons_played_to_json))
