"""Look up what a URL names, paginate, and compute entity tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from rest_framework.pagination import Cursor
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from matches.errors import UnknownPlayer
from players.models import Player
from players.selectors import find_any_player
from tournaments.models import Competition, Group
from tournaments.models.errors import NO_COMPETITION, CompetitionNotFound
from tournaments.office.api.serializers import GroupFilterSerializer
from tournaments.office.selectors.organisers import may_see
from tournaments.records.competitions import list_competitions, with_details
from tournaments.records.groups import group_of
from tournaments.records.stages import find_group, is_of_parts
from tournaments.tables.selectors.records import BEST_FIRST
from tournaments.tables.selectors.tables import TableRow
from web.api.pagination import NewestFirst
from web.api.request_data import read

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


def find_competition(slug: str, viewer: Player | None = None) -> Competition:
    """Return the competition with its ladder or cup and its number of entrants.

    Raises ``CompetitionNotFound``, for drafts too unless the viewer organises them.
    """
    competition = with_details(list_competitions(drafts=viewer is not None)).filter(slug=slug).first()
    if competition is None or not may_see(competition=competition, player=viewer):
        raise CompetitionNotFound(NO_COMPETITION)
    return competition


def asked_group(request: Request, competition: Competition) -> Group:
    """Return the group of the ``stage`` and ``group`` in the query: group 1 of the latest stage that has begun if none.

    Raises ``ValidationError`` for what are no numbers, ``GroupNotFound`` for those of nothing.
    """
    query = read(GroupFilterSerializer, request.query_params)
    if query or is_of_parts(competition.first_stage):
        return find_group(competition, stage=query.get("stage"), group=query.get("group"))
    stage = competition.first_stage
    stage.competition = competition
    return Group(pk=group_of(competition), stage=stage)


def named_player(username: str) -> Player:
    """Return the player with this username, of a closed account too; raises ``UnknownPlayer``."""
    player = find_any_player(username=username)
    if player is None:
        raise UnknownPlayer(_("There is no player with this username."))
    return player


def tagged(request: Request, response: Response) -> Response | HttpResponse:
    """Return the response with an entity tag of what it says, or 304 to a client that has it already."""
    etag = f'W/"{sha256(JSONRenderer().render(response.data)).hexdigest()[:32]}"'
    known: Any = get_conditional_response(request._request, etag=etag)  # noqa: SLF001 - Django's own
    answer: Response | HttpResponse = response if known is None else known
    answer["ETag"] = etag
    return answer
