"""The endpoints with which players answer invitations to competitions."""

from __future__ import annotations

from http import HTTPStatus

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.current_player import require_player
from tournaments.api.lookups import find_competition
from tournaments.schemas.entry import OwnEntrySchema, own_entry_to_json
from tournaments.schemas.invitation import ReceivedInvitationSchema, received_invitation_to_json
from tournaments.selectors.invitations import received_invitations
from tournaments.services.entries.invitations import accept_invitation, decline_invitation
from web.idempotency.decorator import idempotent
from web.idempotency.keys import IDEMPOTENCY_KEY
from web.strict_views import StrictView


class ReceivedInvitationsView(StrictView):
    """Invitations that wait for an answer."""

    private = True

    @extend_schema(responses=list[ReceivedInvitationSchema], operation_id="list_received_invitations")
    def get(self, request: Request) -> Response:
        """List the competitions to which you are invited and have not answered, the latest 100."""
        received = received_invitations(player=require_player(request))
        return Response([received_invitation_to_json(each) for each in received])


class AcceptView(StrictView):
    """Accepting an invitation."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(
        request=None,
        parameters=[IDEMPOTENCY_KEY],
        responses={201: OwnEntrySchema},
        operation_id="accept_invitation",
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Accept an invitation to a competition: you enter it, whatever its password and limits of ratings."""
        entry = accept_invitation(
            competition_id=find_competition(slug).pk, player=require_player(request), now=timezone.now()
        )
        return Response(own_entry_to_json(entry), status=201)


class DeclineView(StrictView):
    """Declining an invitation."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(request=None, parameters=[IDEMPOTENCY_KEY], responses={204: None}, operation_id="decline_invitation")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Decline an invitation to a competition. Nobody can invite you to it again; you can still join by yourself."""
        decline_invitation(competition_id=find_competition(slug).pk, player=require_player(request), now=timezone.now())
        return Response(status=204)
