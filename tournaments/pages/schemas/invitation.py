"""Invitations to competitions, in JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from tournaments.models import EntryInvitation, RoleInvitation
from tournaments.models.rights import Role
from tournaments.office.schemas import RoleName, TeamNameSchema, team_name_to_json
from tournaments.pages.schemas.competition import CompetitionSchema, KindName, competition_to_json

InvitationStatusName = Literal["waiting", "accepted", "declined", "withdrawn", "lapsed"]


class InvitationSchema(TypedDict):
    """An invitation as organisers see it."""

    id: int
    player: str
    """Of a team, its captain."""
    team: TeamNameSchema | None
    """Null for single players."""
    status: InvitationStatusName
    invited_by: str | None
    """Null where the account was deleted."""
    invited_at: datetime
    asked_at: datetime | None
    """The moment when the player was asked, null while the competition is a draft."""
    answered_at: datetime | None


class ReceivedInvitationSchema(TypedDict):
    """An invitation that waits for the caller's answer."""

    competition: CompetitionSchema
    team: TeamNameSchema | None
    """The team whose captain the caller is, null if they are invited alone."""
    invited_by: str | None
    asked_at: datetime | None


class RoleInvitationSchema(TypedDict):
    """A role that waits for the caller's answer. The competition may be a draft, which they do not see before."""

    slug: str
    name: str
    kind: KindName
    role: RoleName
    invited_by: str | None
    invited_at: datetime


def role_invitation_to_json(invitation: RoleInvitation) -> RoleInvitationSchema:
    """Return an offered role to the player who asks."""
    return {
        "slug": invitation.competition.slug,
        "name": invitation.competition.name,
        "kind": cast("KindName", str(invitation.competition.kind)),
        "role": Role(invitation.role).value,
        "invited_by": None if invitation.invited_by is None else invitation.invited_by.username,
        "invited_at": invitation.created_at,
    }


def invitation_to_json(invitation: EntryInvitation) -> InvitationSchema:
    """Return an invitation as organisers see it."""
    return {
        "id": invitation.pk,
        "player": invitation.player.username,
        "team": team_name_to_json(invitation.team),
        "status": "lapsed" if invitation.has_lapsed else cast("InvitationStatusName", str(invitation.status)),
        "invited_by": None if invitation.invited_by is None else invitation.invited_by.username,
        "invited_at": invitation.created_at,
        "asked_at": invitation.asked_at,
        "answered_at": invitation.answered_at,
    }


def received_invitation_to_json(invitation: EntryInvitation) -> ReceivedInvitationSchema:
    """Return an invitation to the player who asks."""
    return {
        "competition": competition_to_json(invitation.competition),
        "team": team_name_to_json(invitation.team),
        "invited_by": None if invitation.invited_by is None else invitation.invited_by.username,
        "asked_at": invitation.asked_at,
    }
