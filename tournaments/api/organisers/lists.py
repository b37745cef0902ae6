"""The API's endpoint to import entrants."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.acts.inputs import Reason
from tournaments.api.organisers.base import OrganiserView
from tournaments.entry_lists import MAX_LIST_SIZE
from tournaments.schemas.entry import ImportSchema, import_to_json
from tournaments.services.entry_imports import import_entry_list
from web.idempotency.decorator import idempotent
from web.idempotency.keys import IDEMPOTENCY_KEY
from web.request_data import read


class EntryListSerializer(serializers.Serializer[Any]):
    """Players by lines of CSV: a username, and an optional seed; or columns with names, such as an export has."""

    text = serializers.CharField(max_length=MAX_LIST_SIZE, trim_whitespace=False)
    skips_faults = serializers.BooleanField(
        required=False, default=False, help_text="Enter the players of the good lines, and return the others."
    )
    reason = Reason(required=False).api_field()


class ImportView(OrganiserView):
    """Entering a list of players."""

    @extend_schema(
        operation_id="import_entries",
        request=EntryListSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses=ImportSchema,
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Enter everybody on a list, or nobody: a refusal names every line that is wrong.

        With `skips_faults` the good lines are taken, and the others are `skipped`.
        """
        competition, values = self.find(request, slug), read(EntryListSerializer, request.data)
        done = import_entry_list(
            competition_id=competition.pk, actor=require_player(request), **values, now=timezone.now()
        )
        return Response(import_to_json(done))
