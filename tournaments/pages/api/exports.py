"""The API's endpoint to export a competition as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from players.current_player import current_player
from tournaments.office.api.serializers import PartFilterSerializer
from tournaments.office.selectors.organisers import find_competition
from tournaments.pages.selectors.exports import Export, ExportFormat, export_competition, parse_export
from web.api.request_data import read
from web.api.strict_views import StrictView
from web.limits.allowances import spend_page_allowance
from web.pages.streamed_text import stream


class ExportView(StrictView):
    """The lists of a competition, as files."""

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
        competition = find_competition(slug, current_player(request))
        export, chosen = parse_export(what, form)
        part = read(PartFilterSerializer, request.query_params)
        plain: HttpRequest = request._request  # noqa: SLF001 - Django's own
        spend_page_allowance(plain, "exports")
        chunks = export_competition(competition=competition, what=export, form=chosen, **part)
        return StreamingHttpResponse(stream(plain, chunks), content_type=chosen.content_type)
