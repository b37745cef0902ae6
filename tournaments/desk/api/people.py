"""The API's endpoints of everything that a player organises or helps in, and of those who run a competition."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import current_player, require_player
from players.models import Scope
from tournaments.desk.schemas import OwnOrganisedSchema, own_organised_to_json
from tournaments.desk.selectors import organised_before, organised_now
from tournaments.models import Competition
from tournaments.models.rights import Right, Role
from tournaments.office.api.base import OrganiserView
from tournaments.office.api.lookups import named_player
from tournaments.office.schemas import OrganiserSchema, organiser_to_json
from tournaments.office.selectors.organisers import find_competition, people_of, role_in
from tournaments.office.selectors.role_invitations import invited_to_run
from tournaments.office.services.organisers import dismiss
from tournaments.office.services.role_invitations import appoint_or_invite
from tournaments.pages.schemas.competition import CompetitionSchema, competition_to_json
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView, StrictView


class OrganisedView(StrictView):
    """The competitions that the caller runs."""

    private = True

    @extend_schema(responses=list[OwnOrganisedSchema], operation_id="list_organised_competitions")
    def get(self, request: Request) -> Response:
        """List what you organise or help in and has not ended, the newest 100, with what needs a decision of yours."""
        rows = organised_now(player=require_player(request), now=current_moment())
        return Response(rows_to_json(rows, own_organised_to_json))


class OrganisedBeforeView(StrictListView[Competition]):
    """The competitions that the caller ran."""

    private = True
    pagination_class = NewestFirst
    queryset = Competition.objects.none()

    @extend_schema(responses=list[CompetitionSchema], operation_id="list_competitions_organised_before")
    def get(self, request: Request) -> Response:
        """List what you organised or helped in and is over, the newest first."""
        page = self.paginate_queryset(organised_before(player=require_player(request))) or []
        return self.get_paginated_response(rows_to_json(page, competition_to_json))


class RoleSerializer(serializers.Serializer[Any]):
    """The role in which somebody runs the competition."""

    role = serializers.ChoiceField(choices=[role.value for role in Role])


class OrganisersView(StrictView):
    """The organisers and helpers of a competition."""

    write_scope = Scope.ORGANISE

    @extend_schema(responses=list[OrganiserSchema], operation_id="list_organisers")
    def get(self, request: Request, slug: str) -> Response:
        """List who runs a competition: the organisers, then the helpers, who may decide matches and nothing else.

        Those who run it also see, last, whom they have asked and who has not answered.
        """
        viewer = current_player(request)
        competition = find_competition(slug, viewer)
        people = [organiser_to_json(player, role) for player, role in people_of(competition)]
        if role_in(competition=competition, player=viewer) is not None:
            asked = invited_to_run(competition)
            people += [organiser_to_json(each.player, Role(each.role), is_invited=True) for each in asked]
        return Response(people)


class OrganiserOfCompetitionView(OrganiserView):
    """Somebody who runs a competition."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(operation_id="name_organiser", request=RoleSerializer, responses=OrganiserSchema)
    @idempotent
    def put(self, request: Request, slug: str, username: str) -> Response:
        """Ask a player to be an organiser or a helper, in place of what they are. They are it once they accept.

        Staff need not ask, and an organiser becomes a helper at once.
        """
        competition, values = self.find(request, slug), self.read_body()
        player, role = named_player(username), Role(values["role"])
        asked = appoint_or_invite(
            competition_id=competition.pk, player=player, role=role, actor=require_player(request), now=current_moment()
        )
        return Response(organiser_to_json(player, role, is_invited=asked is not None))

    @extend_schema(operation_id="dismiss_organiser", responses={204: None})
    @idempotent
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Let an organiser or a helper go, or withdraw what a player was asked; helpers only let themselves go.

        If the player is neither, nothing happens.
        """
        competition = self.find(request, slug, Right.DECIDE)
        dismiss(
            competition_id=competition.pk,
            player=named_player(username),
            actor=require_player(request),
            now=current_moment(),
        )
        return Response(status=204)
