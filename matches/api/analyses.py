"""The endpoint of a match's analysis."""

from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches.errors import AnalysisNotFound
from matches.models import Match, MatchAnalysis
from matches.schemas.analysis import AnalysisSchema, analysis_etag, analysis_to_json
from matches.selectors.analyses import find_analysis
from matches.selectors.matches import get_match
from matches.services.analyses import request_analysis
from players.api.base import IF_NONE_MATCH
from players.current_player import require_player
from web.api.idempotency.decorator import idempotent
from web.api.strict_views import StrictView

RETRY_DELAY = 2
"""Seconds after which there may be news of an analysis that goes on."""

AGAIN = OpenApiParameter(
    "Retry-After",
    int,
    OpenApiParameter.HEADER,
    response=[202],
    description="Seconds after which there may be more of the analysis.",
)
RESPONSES: dict[int, Any] = {200: AnalysisSchema, 202: AnalysisSchema}


class AnalysisView(StrictView):
    """The analysis of a finished match by an engine."""

    @extend_schema(
        parameters=[IF_NONE_MATCH, AGAIN],
        responses=RESPONSES | {304: None},
        operation_id="get_analysis",
    )
    def get(self, request: Request, match_id: int) -> Response | HttpResponse:
        """Get the analysis of a match: 202 and what there is so far while it is being made."""
        match = get_match(match_id)
        analysis = find_analysis(match)
        if analysis is None:
            raise AnalysisNotFound(_("Nobody has asked for an analysis of this match yet."))
        etag = analysis_etag(analysis)
        response = get_conditional_response(request, etag=etag)
        if response is None:
            response = _answer(match, analysis)
        response["ETag"] = etag
        return response

    @extend_schema(request=None, parameters=[AGAIN], responses=RESPONSES, operation_id="request_analysis")
    @idempotent
    def post(self, request: Request, match_id: int) -> Response:
        """Ask for the analysis of a match that you have played. It is made once."""
        analysis = request_analysis(match_id=match_id, player=require_player(request), now=current_moment())
        return _answer(analysis.match, analysis)


def _answer(match: Match, analysis: MatchAnalysis) -> Response:
    body = analysis_to_json(match, analysis)
    if analysis.is_finished:
        return Response(body)
    return Response(body, status=202, headers={"Retry-After": str(RETRY_DELAY)})
