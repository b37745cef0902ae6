"""Teams, their members, and the invitations to them."""

import unicodedata
from datetime import timedelta

from django.db.models import OuterRef, QuerySet
from django.utils.translation import gettext as _

from database.row_counts import count_rows
from players.models import Player
from tournaments.models import MembershipStatus, Team, TeamMembership
from tournaments.teams.errors import TeamNotFound

DAY = timedelta(days=1)


def find_team(*, slug: str) -> Team:
    """Return the team with its captain, closed or not. Raises ``TeamNotFound``."""
    team = Team.objects.select_related("captain").filter(slug=slug).first()
    if team is None:
        raise TeamNotFound(_("There is no such team."))
    return team


def fold_team_name(name: str) -> str:
    """Return what is compared of a team's name: the same in any case of letters, with any blanks between its words."""
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


def find_team_called(name: str) -> Team | None:
    """Return the team with this name in any case of letters, closed or not."""
    return Team.objects.filter(folded_name=fold_team_name(name)).first()


def list_teams() -> QuerySet[Team]:
    """Return the teams that have not been closed, by name, each with its captain and the number of its ``members``.

    Members are counted for the rows that are read alone, however many teams there are.
    """
    members = count_rows(_memberships(MembershipStatus.MEMBER).filter(team=OuterRef("pk")), by="team")
    return (
        Team.objects.filter(closed_at=None).select_related("captain").annotate(members=members).order_by("folded_name")
    )


def teams_after(slug: str) -> QuerySet[Team]:
    """Return the teams of the list that come after the one with this slug; all of them if there is none."""
    last = Team.objects.filter(slug=slug).values_list("folded_name", flat=True).first()
    return list_teams() if last is None else list_teams().filter(folded_name__gt=last)


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


def _memberships(status: MembershipStatus) -> QuerySet[TeamMembership]:
    return TeamMembership.objects.filter(status=status)
