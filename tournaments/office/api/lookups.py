"""Look up what a URL names, paginate, and compute entity tags."""

from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from matches.errors import UnknownPlayer
from players.models import Player
from players.selectors import find_any_player
from tournaments.models import Competition, Group
from tournaments.office.api.serializers import GroupFilterSerializer
from tournaments.records.groups import group_of
from tournaments.records.stages import find_group, is_of_parts
from web.api.strict_views import read


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
    known: Any = get_conditional_response(request, etag=etag)
    answer: Response | HttpResponse = response if known is None else known
    answer["ETag"] = etag
    return answer
