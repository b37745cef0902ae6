"""The API's endpoints to import entrants and to export a competition."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.acts.inputs import Reason
from tournaments.api.organisers.base import OrganiserView
from tournaments.api.serializers import PartFilterSerializer
from tournaments.entry_lists import MAX_LIST_SIZE
from tournaments.schemas.entry import ImportSchema, import_to_json
from tournaments.selectors.exports import Export, ExportFormat, export_competition, parse_export
from tournaments.services.entry_imports import import_entry_list
from web.idempotency.decorator import idempotent
from web.idempotency.keys import IDEMPOTENCY_KEY
from web.request_data import read
from web.streamed_text import stream


class EntryListSerializer(serializers.Serializer[Any]):
    """Players by lines of CSV: a username, and an optional seed."""

    text = serializers.CharField(max_length=MAX_LIST_SIZE, trim_whitespace=False)
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
        """Enter everybody on a list, or nobody: a refusal names every line that is wrong."""
        competition, values = self.find(request, slug), read(EntryListSerializer, request.data)
        entries = import_entry_list(
            competition_id=competition.pk, actor=require_player(request), **values, now=timezone.now()
        )
        return Response(import_to_json(entries))


class ExportView(OrganiserView):
    """Taking away what there is."""

    @extend_schema(
        operation_id="export_competition",
        parameters=[
            OpenApiParameter("what", str, OpenApiParameter.PATH, enum=[what.value for what in Export]),
            OpenApiParameter("form", str, OpenApiParameter.PATH, enum=[form.value for form in ExportFormat]),
            PartFilterSerializer,
        ],
        responses={(200, "text/csv"): str, (200, "application/json"): list[dict[str, Any]]},
    )
    def get(self, request: Request, slug: str, what: str, form: str) -> StreamingHttpResponse:
        """Export all entries, results or standings, or those of a stage or group, in CSV or JSON."""
        competition = self.find(request, slug)
        export, chosen = parse_export(what, form)
        plain: HttpRequest = request._request  # noqa: SLF001 - Django's own
        part = read(PartFilterSerializer, request.query_params)
        chunks = export_competition(competition=competition, what=export, form=chosen, **part)
        return StreamingHttpResponse(stream(plain, chunks), content_type=chosen.content_type)
