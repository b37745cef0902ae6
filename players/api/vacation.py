"""The endpoints about the authenticated player's vacation."""

from __future__ import annotations

from datetime import date

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players import services
from players.api.base import read_body
from players.api.serializers import NewVacationSerializer
from players.current_player import require_player
from players.models import Player
from players.schemas import VacationSchema, vacation_to_json
from players.selectors import recent_days_of, vacation_years
from web.api.strict_views import StrictView


def _answer(player: Player) -> Response:
    now = timezone.now()
    return Response(vacation_to_json(vacation_years(player=player, now=now), recent_days_of(player=player, now=now)))


class VacationView(StrictView):
    """The vacation of the player who asks."""

    private = True

    @extend_schema(responses=VacationSchema, operation_id="get_vacation")
    def get(self, request: Request) -> Response:
        """Get your vacation: days left this year and the next, and days spent or planned since last year."""
        return _answer(require_player(request))

    @extend_schema(request=NewVacationSerializer, responses=VacationSchema, operation_id="plan_vacation")
    def post(self, request: Request) -> Response:
        """Plan days of vacation, from the first to the last (UTC). Days that are planned already stay."""
        services.plan_vacation(
            player=require_player(request), **read_body(NewVacationSerializer, request), now=timezone.now()
        )
        return _answer(require_player(request))


class VacationDayView(StrictView):
    """A planned day of the player who asks."""

    private = True

    @extend_schema(
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)],
        responses={204: OpenApiResponse(description="Cancelled")},
        operation_id="cancel_vacation_day",
    )
    def delete(self, request: Request, day: str) -> Response:
        """Cancel a planned day of vacation that has not begun."""
        try:
            planned = date.fromisoformat(day)
        except ValueError:
            raise Http404 from None
        services.cancel_day(player=require_player(request), day=planned, now=timezone.now())
        return Response(status=204)
