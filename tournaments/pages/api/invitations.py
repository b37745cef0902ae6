"""The endpoints with which players answer invitations to competitions."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from tournaments.entries.schemas import OwnEntrySchema, own_entry_to_json
from tournaments.entries.services.invitations import accept_invitation, decline_invitation
from tournaments.models import Team
from tournaments.office.api.serializers import ReadOptionsSerializer
from tournaments.office.selectors.invitations import received_invitations
from tournaments.office.selectors.organisers import find_competition
from tournaments.office.services.slugs import MAX_SLUG_LENGTH
from tournaments.pages.schemas.invitation import ReceivedInvitationSchema, received_invitation_to_json
from tournaments.teams.selectors.teams import find_team
from web.api.idempotency.decorator import idempotent
from web.api.rows import rows_to_json
from web.api.strict_views import RefusableView, StrictView, read


class ReceivedInvitationsView(StrictView):
    """Invitations that wait for an answer."""

    private = True

    @extend_schema(responses=list[ReceivedInvitationSchema], operation_id="list_received_invitations")
    def get(self, request: Request) -> Response:
        """List the competitions to which you, or your teams, are invited and you have not answered, the latest 100."""
        received = received_invitations(player=require_player(request))
        return Response(rows_to_json(received, received_invitation_to_json))


class AnswerSerializer(serializers.Serializer[Any]):
    """The invitation that is answered."""

    team = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_SLUG_LENGTH,
        help_text="The slug of the team that is invited. Needed if several of your teams are.",
    )


class AcceptanceSerializer(AnswerSerializer, ReadOptionsSerializer):
    """The invitation that is accepted, and what was read of the competition."""


def _team_of(answer: dict[str, Any]) -> Team | None:
    """Return the team in a body. Raises ``TeamNotFound``."""
    return find_team(slug=answer["team"]) if answer["team"] else None


class AcceptView(RefusableView):
    """Let an invited player, or the captain of an invited team, accept."""

    @extend_schema(request=AcceptanceSerializer, responses={201: OwnEntrySchema}, operation_id="accept_invitation")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Accept an invitation to a competition: you enter it, whatever its password and limits of ratings.

        A captain enters the team that is invited: those who have been members longest sit at the boards until there is
        a line-up. To name others, enter the team. Who had joined before all players were asked again has the old place,
        seed and line-up.
        """
        answer = read(AcceptanceSerializer, request.data)
        entry = accept_invitation(
            competition_id=find_competition(slug).pk,
            player=require_player(request),
            team=_team_of(answer),
            now=current_moment(),
            version=answer["version"],
        )
        return Response(own_entry_to_json(entry), status=201)


class DeclineView(RefusableView):
    """Let an invited player, or the captain of an invited team, decline."""

    @extend_schema(request=AnswerSerializer, responses={204: None}, operation_id="decline_invitation")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Decline an invitation to a competition. Nobody can invite you to it again; you can still join by yourself."""
        decline_invitation(
            competition_id=find_competition(slug).pk,
            player=require_player(request),
            team=_team_of(read(AnswerSerializer, request.data)),
            now=current_moment(),
        )
        return Response(status=204)
