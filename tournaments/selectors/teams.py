"""Teams, their members, and the invitations to them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from players.models import Player
from tournaments.errors import TeamNotFound
from tournaments.models import MembershipStatus, Team, TeamMembership

DAY = timedelta(days=1)


def find_team(*, slug: str) -> Team:
    """Return the team with its captain, closed or not. Raises ``TeamNotFound``."""
    team = Team.objects.select_related("captain").filter(slug=slug).first()
    if team is None:
        raise TeamNotFound("There is no such team.")
    return team


def list_teams() -> QuerySet[Team]:
    """Return the teams that have not been closed, by name, each with its captain and the number of its ``members``."""
    members = Count("memberships", filter=Q(memberships__status=MembershipStatus.MEMBER))
    return (
        Team.objects.filter(closed_at=None).select_related("captain").annotate(members=members).order_by("folded_name")
    )


def members_of(team: Team) -> QuerySet[TeamMembership]:
    """Return the memberships of the team's members with their players, the longest first."""
    return _memberships(MembershipStatus.MEMBER).filter(team=team).select_related("player").order_by("joined_at", "pk")


def former_members_of(team: Team) -> QuerySet[TeamMembership]:
    """Return the memberships of those who have left the team with their players, the latest first."""
    return _memberships(MembershipStatus.LEFT).filter(team=team).select_related("player").order_by("-ended_at", "-pk")


def invitations_of_team(team: Team) -> QuerySet[TeamMembership]:
    """Return the invitations that have not been answered with their players, the latest first."""
    return (
        _memberships(MembershipStatus.INVITED).filter(team=team).select_related("player", "invited_by").order_by("-pk")
    )


def invitations_to_teams(player: Player) -> QuerySet[TeamMembership]:
    """Return the invitations that the player has not answered with their teams, the latest first."""
    invited = _memberships(MembershipStatus.INVITED).filter(player=player)
    return invited.select_related("team__captain", "invited_by").order_by("-pk")


def teams_of(player: Player) -> QuerySet[TeamMembership]:
    """Return the memberships of the teams that the player is a member of with these, the longest first."""
    own = _memberships(MembershipStatus.MEMBER).filter(player=player)
    return own.select_related("team__captain").order_by("joined_at", "pk")


def find_membership(*, team: Team, player: Player | None) -> TeamMembership | None:
    """Return the membership or the invitation of the player that is not over, ``None`` if there is none."""
    if player is None:
        return None
    return TeamMembership.objects.filter(team=team, player=player, ended_at=None).first()


def invited_to_team_since_yesterday(*, team: Team, now: datetime) -> int:
    """Return how many players the team has invited within 24 hours, answered, withdrawn or not."""
    return TeamMembership.objects.filter(team=team, invited_by__isnull=False, invited_at__gt=now - DAY).count()


def _memberships(status: MembershipStatus) -> QuerySet[TeamMembership]:
    return TeamMembership.objects.filter(status=status)
