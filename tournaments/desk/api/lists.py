"""The API's endpoints to import entrants, of whom organisers have invited, and of waiting lists."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from tournaments.entries.entry_lists import MAX_LIST_SIZE
from tournaments.entries.schemas import ImportSchema, WaitingPlayerSchema, import_to_json, waiting_player_to_json
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.models import EntryInvitation, WaitingPlayer
from tournaments.office.api.base import OrganiserView
from tournaments.office.inputs import Reason
from tournaments.office.selectors.invitations import invitations_to
from tournaments.pages.schemas.invitation import InvitationSchema, invitation_to_json
from tournaments.running.selectors.waiting_lists import waiting_list
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView


class InOrderOfJoining(NewestFirst):
    """Pages of at most 100 rows, the first first; ``limit`` asks for fewer."""

    ordering = ("pk",)


class EntryListSerializer(serializers.Serializer[Any]):
    """Players by lines of CSV: a username, and an optional seed; or columns with names, such as an export has."""

    text = serializers.CharField(max_length=MAX_LIST_SIZE, trim_whitespace=False)
    skips_faults = serializers.BooleanField(
        required=False, default=False, help_text="Enter the players of the good lines, and return the others."
    )
    reason = Reason(required=False).api_field()


class InvitationsView(StrictListView[EntryInvitation], OrganiserView):
    """The players and teams that organisers have invited."""

    pagination_class = NewestFirst
    queryset = EntryInvitation.objects.none()

    @extend_schema(responses=list[InvitationSchema], operation_id="list_invitations")
    def get(self, request: Request, slug: str) -> Response:
        """List whom organisers have invited to a competition, and what they answered, the latest first."""
        page = self.paginate_queryset(invitations_to(self.find(request, slug))) or []
        return self.get_paginated_response(rows_to_json(page, invitation_to_json))


class WaitingListView(StrictListView[WaitingPlayer], OrganiserView):
    """The players who wait for a place."""

    pagination_class = InOrderOfJoining
    queryset = WaitingPlayer.objects.none()

    @extend_schema(responses=list[WaitingPlayerSchema], operation_id="list_waiting_players")
    def get(self, request: Request, slug: str) -> Response:
        """List who is on the waiting list of a competition, the first first."""
        page = self.paginate_queryset(waiting_list(self.find(request, slug))) or []
        return self.get_paginated_response(rows_to_json(page, waiting_player_to_json))


class ImportView(OrganiserView):
    """Let organisers enter the players of a CSV text."""

    @extend_schema(operation_id="import_entries", request=EntryListSerializer, responses=ImportSchema)
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Enter everybody on a list, or nobody: a refusal names every line that is wrong.

        With `skips_faults` the good lines are taken, and the others are `skipped`.
        """
        competition, values = self.find(request, slug), self.read_body()
        done = import_entry_list(
            competition_id=competition.pk, actor=require_player(request), **values, now=current_moment()
        )
        return Response(import_to_json(done))
