"""The endpoints with which players answer who asks them to run a competition."""

from http import HTTPStatus

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from players.models import Scope
from tournaments.office.schemas import OrganiserSchema, organiser_to_json
from tournaments.office.selectors.role_invitations import MAX_RECEIVED, get_role_invitation, roles_offered
from tournaments.office.services.role_invitations import accept_role, decline_role
from tournaments.pages.schemas.invitation import RoleInvitationSchema, role_invitation_to_json
from web.api.idempotency.decorator import idempotent
from web.api.strict_views import StrictView


class RoleInvitationsView(StrictView):
    """Roles that wait for an answer."""

    private = True

    @extend_schema(responses=list[RoleInvitationSchema], operation_id="list_role_invitations")
    def get(self, request: Request) -> Response:
        """List the competitions that you are asked to run and have not answered, the latest 100."""
        offered = roles_offered(player=require_player(request))[:MAX_RECEIVED]
        return Response([role_invitation_to_json(each) for each in offered])


class AcceptRoleView(StrictView):
    """Let a player accept a role."""

    write_scope = Scope.ORGANISE
    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(request=None, responses=OrganiserSchema, operation_id="accept_role")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Accept to run a competition as you were asked: its rights are yours from now on."""
        player = require_player(request)
        role = accept_role(invitation=get_role_invitation(player=player, slug=slug), now=current_moment())
        return Response(organiser_to_json(player, role))


class DeclineRoleView(StrictView):
    """Let a player decline a role."""

    write_scope = Scope.ORGANISE
    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(request=None, responses={204: None}, operation_id="decline_role")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Decline to run a competition. Nobody can ask you again."""
        invitation = get_role_invitation(player=require_player(request), slug=slug)
        decline_role(invitation=invitation, now=current_moment())
        return Response(status=204)
