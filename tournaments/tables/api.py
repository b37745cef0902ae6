"""The endpoints of ratings and titles, and pages of tables and brackets."""

import re
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.pagination import Cursor
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player, Rating
from players.selectors import find_any_player
from players.usernames import MAX_LENGTH
from tournaments.models import RatingChange, Title
from tournaments.models.game_families import FAMILIES
from tournaments.models.title_names import TitleKind
from tournaments.office.api.lookups import named_player
from tournaments.office.api.serializers import RatingFilterSerializer
from tournaments.office.errors import EntryNotFound
from tournaments.tables.schemas import (
    RatingChangeSchema,
    RatingSchema,
    TitleSchema,
    rating_change_to_json,
    rating_to_json,
    title_to_json,
)
from tournaments.tables.selectors.records import BEST_FIRST, rating_changes, rating_list, ratings_of
from tournaments.tables.selectors.tables import TableRow
from tournaments.tables.selectors.titles import LATEST_FIRST, list_titles
from web.api.pagination import MOMENT, NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView, StrictView

P = TypeVar("P")


class ReadRows(Protocol):
    """Returns the rows of a table after the first ``start``, ``size`` at most, and whether more follow."""

    def __call__(self, *, start: int, size: int) -> tuple[list[TableRow], bool]:
        """Read them."""


class InOrder(NewestFirst):
    """Pages of at most 100 rows of a table, the best first; ``limit`` asks for fewer.

    A cursor says how many rows are in front of the page, or of the one after it.
    """

    def paginate_table(self, read_rows: ReadRows, request: Request) -> list[TableRow]:
        """Return the rows of the page that the request asks for."""
        self.base_url = request.build_absolute_uri()
        self.page_size = self.get_page_size(request)
        self.cursor = self.decode_cursor(request)
        offset, is_reverse, position = self.cursor or Cursor(0, False, None)
        bound = int(position or 0)
        self.start = max(0, bound - offset - self.page_size) if is_reverse else bound + offset
        self.end = max(0, bound - offset) if is_reverse else self.start + self.page_size
        rows, self.has_next = read_rows(start=self.start, size=self.end - self.start)
        return rows

    def get_next_link(self) -> str | None:
        """Return the URL of the page after this one."""
        return self.encode_cursor(Cursor(0, False, self.end)) if self.has_next else None

    def get_previous_link(self) -> str | None:
        """Return the URL of the page before this one."""
        return self.encode_cursor(Cursor(0, True, self.start)) if self.start else None


class PartByPart(NewestFirst):
    """Pages of a part each."""

    page_size_query_param = None

    def paginate_parts(self, parts: Sequence[P], request: Request) -> P:
        """Return the part that the request asks for, the first of them or the one after which there is none."""
        self.base_url = request.build_absolute_uri()
        cursor = self.decode_cursor(request)
        self.number = min(int((cursor and cursor.position) or 0), len(parts) - 1)
        self.number_of_parts = len(parts)
        return parts[self.number]

    def get_next_link(self) -> str | None:
        """Return the URL of the part after this one."""
        return self._link(self.number + 1)

    def get_previous_link(self) -> str | None:
        """Return the URL of the part before this one."""
        return self._link(self.number - 1)

    def _link(self, number: int) -> str | None:
        return self.encode_cursor(Cursor(0, False, number)) if 0 <= number < self.number_of_parts else None


class BestFirst(NewestFirst):
    """Pages of at most 100 ratings, the highest first; ``limit`` asks for fewer."""

    ordering = BEST_FIRST
    position_pattern = re.compile(r"[0-9]{1,5}\.[0-9]{4}")


class RatingsView(StrictListView[Rating]):
    """The rating list of a game."""

    pagination_class = BestFirst
    queryset = Rating.objects.none()

    @extend_schema(parameters=[RatingFilterSerializer], responses=list[RatingSchema], operation_id="list_ratings")
    def get(self, request: Request) -> Response:
        """List the ratings of everybody who has played a rated match, the best first."""
        query = self.read_query()
        page = self.paginate_queryset(rating_list(query["game"])) or []
        return self.get_paginated_response(rows_to_json(page, rating_to_json))


class PlayerRatingsView(StrictView):
    """A player's ratings."""

    @extend_schema(responses=list[RatingSchema], operation_id="list_player_ratings")
    def get(self, request: Request, username: str) -> Response:
        """List the ratings of a player, one for each family of games with a rated match."""
        return Response(rows_to_json(ratings_of(known_player(username)), rating_to_json))


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
        query = self.read_query()
        page = self.paginate_queryset(rating_changes(player=known_player(username), family=query["game"])) or []
        return self.get_paginated_response(rows_to_json(page, rating_change_to_json))


def known_player(username: str) -> Player:
    """Return the player with this username, of a closed account too. Raises ``EntryNotFound``."""
    player = find_any_player(username=username)
    if player is None:
        raise EntryNotFound(_("There is no such player."))
    return player


class LatestFirst(NewestFirst):
    """Pages of at most 100 titles, the latest first; ``limit`` asks for fewer."""

    ordering = LATEST_FIRST
    position_pattern = MOMENT


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
        query = self.read_query()
        titles = list_titles(
            kind=TitleKind(query["kind"]) if "kind" in query else None,
            family=query.get("game"),
            player=named_player(query["player"]) if "player" in query else None,
        )
        page = self.paginate_queryset(titles) or []
        return self.get_paginated_response(rows_to_json(page, title_to_json))
