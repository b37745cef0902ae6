"""The API's endpoint to make a competition again."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.making.services.copies import copy_competition
from tournaments.making.services.drafts import MAX_NAME_LENGTH
from tournaments.office.api.base import OrganiserView
from tournaments.office.selectors.organisers import find_competition
from tournaments.pages.schemas.competition import CompetitionDetailSchema, competition_detail_to_json
from web.api.idempotency.decorator import idempotent
from web.api.request_data import read


class CopySerializer(serializers.Serializer[Any]):
    """The name of a copy, and whether those who are in it come along."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    with_entrants = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Enter all who have not left the competition and may play. Of teams nobody is entered.",
    )


class CopyView(OrganiserView):
    """A competition made again."""

    @extend_schema(operation_id="copy_competition", request=CopySerializer, responses={201: CompetitionDetailSchema})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Make a draft with the options of a competition that you organise: its own `name`, and no time of a start."""
        competition, values = self.find(request, slug), read(CopySerializer, request.data)
        maker = require_player(request)
        made = copy_competition(competition=competition, **values, actor=maker, now=timezone.now())
        return Response(competition_detail_to_json(find_competition(made.slug, maker), maker), status=201)
