"""Teams, their members and the invitations to them, in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, TypedDict, cast

from tournaments.models import Team, TeamMembership

PatternName = Literal["plain", "halves", "stripes", "hoops", "sash", "sleeves"]
ColourName = Literal[
    "white", "yellow", "orange", "red", "claret", "purple", "navy", "blue", "sky", "green", "brown", "black"
]


class ShirtSchema(TypedDict):
    """A shirt."""

    pattern: PatternName
    first_colour: ColourName
    second_colour: ColourName
    """The colour of the pattern; of a plain shirt that of collar and cuffs."""


class TeamSchema(TypedDict):
    """A team."""

    slug: str
    name: str
    url: str
    shirt: ShirtSchema
    captain: str | None
    """Null where the team has been closed."""
    founded_at: datetime
    closed_at: datetime | None


class ListedTeamSchema(TeamSchema):
    """A team of the list."""

    members: int


class TeamMemberSchema(TypedDict):
    """A member of a team."""

    player: str
    joined_at: datetime


class TeamInvitationSchema(TypedDict):
    """An invitation to a team that has not been answered."""

    player: str
    invited_by: str | None
    """Null where the account was deleted."""
    invited_at: datetime


class TeamDetailSchema(TeamSchema):
    """A team with its members."""

    members: list[TeamMemberSchema]
    """The longest first."""
    invited: list[TeamInvitationSchema] | None
    """Null for everybody but the captain."""


class ReceivedTeamInvitationSchema(TypedDict):
    """An invitation to a team that waits for the caller's answer."""

    team: TeamSchema
    invited_by: str | None
    invited_at: datetime


def team_to_json(team: Team) -> TeamSchema:
    """Return a team that was read with its captain."""
    return {
        "slug": team.slug,
        "name": team.name,
        "url": team.get_absolute_url(),
        "shirt": {
            "pattern": cast("PatternName", str(team.pattern)),
            "first_colour": cast("ColourName", str(team.first_colour)),
            "second_colour": cast("ColourName", str(team.second_colour)),
        },
        "captain": None if team.closed_at is not None else team.captain.username,
        "founded_at": team.created_at,
        "closed_at": team.closed_at,
    }


def listed_team_to_json(team: Team) -> ListedTeamSchema:
    """Return a team as ``selectors.teams.list_teams`` reads it."""
    return {**team_to_json(team), "members": vars(team)["members"]}


def team_detail_to_json(
    team: Team, *, members: Iterable[TeamMembership], invited: Iterable[TeamMembership] | None
) -> TeamDetailSchema:
    """Return a team with its members and, for its captain, who is invited."""
    return {
        **team_to_json(team),
        "members": [
            {"player": each.player.username, "joined_at": cast("datetime", each.joined_at)} for each in members
        ],
        "invited": None if invited is None else [team_invitation_to_json(each) for each in invited],
    }


def team_invitation_to_json(membership: TeamMembership) -> TeamInvitationSchema:
    """Return an invitation as the captain sees it."""
    return {
        "player": membership.player.username,
        "invited_by": None if membership.invited_by is None else membership.invited_by.username,
        "invited_at": membership.invited_at,
    }


def received_team_invitation_to_json(membership: TeamMembership) -> ReceivedTeamInvitationSchema:
    """Return an invitation to the player who asks."""
    return {
        "team": team_to_json(membership.team),
        "invited_by": None if membership.invited_by is None else membership.invited_by.username,
        "invited_at": membership.invited_at,
    }
