"""The endpoints of teams: what everybody may know of them, and what captains, members and invited players do."""

import re
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.api.base import IF_NONE_MATCH
from players.current_player import current_player, require_player
from players.models import Player
from players.usernames import MAX_LENGTH
from tournaments.models import ShirtColour, ShirtPattern, Team
from tournaments.models.team import MAX_FOLDED_NAME, MAX_TEAM_NAME
from tournaments.office.api.lookups import named_player, tagged
from tournaments.teams.schemas import (
    ListedTeamSchema,
    ReceivedTeamInvitationSchema,
    TeamDetailSchema,
    TeamInvitationSchema,
    listed_team_to_json,
    received_team_invitation_to_json,
    team_detail_to_json,
    team_invitation_to_json,
)
from tournaments.teams.selectors.teams import (
    find_team,
    invitations_of_team,
    invitations_to_teams,
    list_teams,
    members_of,
)
from tournaments.teams.services.members import (
    accept_team_invitation,
    decline_team_invitation,
    invite_to_team,
    leave_team,
    remove_member,
    withdraw_team_invitation,
)
from tournaments.teams.services.teams import change_team, close_team, found_team, hand_over_team
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import RefusableView, StrictListView, StrictView

MAX_RECEIVED = 100
OPTIONS = ("name", "pattern", "first_colour", "second_colour")


class ByName(NewestFirst):
    """Pages of at most 100 teams by name; ``limit`` asks for fewer."""

    ordering = ("folded_name",)
    position_pattern = re.compile(rf"[^\0]{{1,{MAX_FOLDED_NAME}}}", re.DOTALL)


class TeamEditSerializer(serializers.Serializer[Any]):
    """A name and a shirt; what is not given stays as it is."""

    name = serializers.CharField(required=False, max_length=MAX_TEAM_NAME)
    pattern = serializers.ChoiceField(required=False, choices=ShirtPattern.values)
    first_colour = serializers.ChoiceField(required=False, choices=ShirtColour.values)
    second_colour = serializers.ChoiceField(
        required=False, choices=ShirtColour.values, help_text="That of the pattern, or of collar and cuffs."
    )


class NewTeamSerializer(serializers.Serializer[Any]):
    """The name and the shirt of a new team."""

    name = serializers.CharField(max_length=MAX_TEAM_NAME)
    pattern = serializers.ChoiceField(choices=ShirtPattern.values, default=str(ShirtPattern.PLAIN))
    first_colour = serializers.ChoiceField(choices=ShirtColour.values, default=str(ShirtColour.RED))
    second_colour = serializers.ChoiceField(
        choices=ShirtColour.values,
        default=str(ShirtColour.WHITE),
        help_text="That of the pattern, or of collar and cuffs.",
    )


class TeamPlayerSerializer(serializers.Serializer[Any]):
    """A player, by the username."""

    player = serializers.CharField(max_length=MAX_LENGTH, help_text="A username.")


def _detail(team: Team, viewer: Player | None) -> TeamDetailSchema:
    """Return a team for this viewer."""
    is_captain = viewer is not None and team.closed_at is None and team.captain_id == viewer.pk
    return team_detail_to_json(
        team, members=members_of(team), invited=invitations_of_team(team) if is_captain else None
    )


class TeamsView(StrictListView[Team]):
    """The teams."""

    pagination_class = ByName
    queryset = Team.objects.none()
    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(responses=list[ListedTeamSchema], operation_id="list_teams")
    def get(self, request: Request) -> Response:
        """List the teams that have not been closed, by name."""
        page = self.paginate_queryset(list_teams()) or []
        return self.get_paginated_response(rows_to_json(page, listed_team_to_json))

    @extend_schema(request=NewTeamSerializer, responses={201: TeamDetailSchema}, operation_id="found_team")
    @idempotent
    def post(self, request: Request) -> Response:
        """Found a team. You are its captain, and can lead five at once."""
        captain, values = require_player(request), self.read_body()
        team = found_team(captain=captain, now=current_moment(), **{name: values[name] for name in OPTIONS})
        return Response(_detail(team, captain), status=201)


class TeamView(RefusableView):
    """A team."""

    @extend_schema(parameters=[IF_NONE_MATCH], responses={200: TeamDetailSchema, 304: None}, operation_id="get_team")
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        """Get a team with its members, also one that has been closed. Its captain sees who is invited."""
        return tagged(request, Response(_detail(find_team(slug=slug), current_player(request))))

    @extend_schema(request=TeamEditSerializer, responses=TeamDetailSchema, operation_id="change_team")
    @idempotent
    def patch(self, request: Request, slug: str) -> Response:
        """Change the name or the shirt of a team whose captain you are. Its slug stays."""
        team, captain = find_team(slug=slug), require_player(request)
        values = {name: getattr(team, name) for name in OPTIONS} | dict(self.read_body())
        return Response(_detail(change_team(team_id=team.pk, actor=captain, **values), captain))


class CloseTeamView(RefusableView):
    """The end of a team."""

    @extend_schema(request=None, responses=TeamDetailSchema, operation_id="close_team")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Close a team for good. All members leave it, and its name stays its own."""
        captain = require_player(request)
        team = close_team(team_id=find_team(slug=slug).pk, actor=captain, now=current_moment())
        return Response(_detail(team, captain))


class TeamCaptainView(RefusableView):
    """The captain of a team."""

    @extend_schema(request=TeamPlayerSerializer, responses=TeamDetailSchema, operation_id="hand_over_team")
    @idempotent
    def put(self, request: Request, slug: str) -> Response:
        """Make another member the captain in your place."""
        team, captain = find_team(slug=slug), require_player(request)
        player = named_player(self.read_body()["player"])
        handed = hand_over_team(team_id=team.pk, player=player, actor=captain, now=current_moment())
        return Response(_detail(handed, captain))


class TeamInvitationsView(RefusableView):
    """Let a captain invite players to a team."""

    @extend_schema(request=TeamPlayerSerializer, responses={201: TeamInvitationSchema}, operation_id="invite_to_team")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Invite a player to your team. A player who is invited already is not invited again."""
        team, captain = find_team(slug=slug), require_player(request)
        player = named_player(self.read_body()["player"])
        invitation = invite_to_team(team_id=team.pk, player=player, actor=captain, now=current_moment())
        return Response(team_invitation_to_json(invitation), status=201)


class TeamInvitationView(RefusableView):
    """The invitation of a player to a team."""

    @extend_schema(responses={204: None}, operation_id="withdraw_team_invitation")
    @idempotent
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Withdraw an invitation to your team that has not been answered."""
        withdraw_team_invitation(
            team_id=find_team(slug=slug).pk,
            player=named_player(username),
            actor=require_player(request),
            now=current_moment(),
        )
        return Response(status=204)


class AcceptTeamInvitationView(RefusableView):
    """Let an invited player become a member of a team."""

    @extend_schema(request=None, responses=TeamDetailSchema, operation_id="accept_team_invitation")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Accept an invitation to a team: you are a member then."""
        team, player = find_team(slug=slug), require_player(request)
        accept_team_invitation(team_id=team.pk, player=player, now=current_moment())
        return Response(_detail(team, player))


class DeclineTeamInvitationView(RefusableView):
    """Let an invited player stay out of a team."""

    @extend_schema(request=None, responses={204: None}, operation_id="decline_team_invitation")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Decline an invitation to a team. It cannot invite you again for 30 days."""
        decline_team_invitation(team_id=find_team(slug=slug).pk, player=require_player(request), now=current_moment())
        return Response(status=204)


class LeaveTeamView(RefusableView):
    """Let a member end their membership of a team."""

    @extend_schema(request=None, responses={204: None}, operation_id="leave_team")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Leave a team. A captain hands it over or closes it first."""
        leave_team(team_id=find_team(slug=slug).pk, player=require_player(request), now=current_moment())
        return Response(status=204)


class TeamMemberView(RefusableView):
    """A member of a team."""

    @extend_schema(responses={204: None}, operation_id="remove_team_member")
    @idempotent
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Remove a member from your team."""
        remove_member(
            team_id=find_team(slug=slug).pk,
            player=named_player(username),
            actor=require_player(request),
            now=current_moment(),
        )
        return Response(status=204)


class ReceivedTeamInvitationsView(StrictView):
    """Invitations to teams that wait for an answer."""

    private = True

    @extend_schema(responses=list[ReceivedTeamInvitationSchema], operation_id="list_received_team_invitations")
    def get(self, request: Request) -> Response:
        """List the teams to which you are invited and have not answered, the latest 100."""
        received = invitations_to_teams(require_player(request))[:MAX_RECEIVED]
        return Response(rows_to_json(received, received_team_invitation_to_json))
