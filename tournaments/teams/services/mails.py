"""Tell players by mail which team invites them, or is theirs to lead, with links that answer without logging in."""

from datetime import datetime
from typing import Any

from django.core import signing
from django.urls import reverse

from players.mail_links import absolute
from players.models import MailKind, Player
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from tournaments.models import MembershipStatus, Team, TeamMembership
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.services.invitation_links import invitation_link

_SALT = "tournaments.team-invitation"


def team_invitation_link(invitation: TeamMembership) -> str:
    """Return the link to the page that asks an invited player; it is good for as long as the invitation."""
    return absolute(reverse("invitation-by-mail", args=[signing.dumps(invitation.pk, salt=_SALT)]))


def read_team_invitation_link(token: str) -> TeamMembership | None:
    """Return the membership of a link's token, whatever has become of it; ``None`` if it is not ours, or is gone."""
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return TeamMembership.objects.select_related("team__captain", "player").filter(pk=key).first()


def post_invitation(*, invitation: TeamMembership, now: datetime) -> None:
    """Post a mail to the player who is invited, in the transaction in which they are."""
    key = f"team:{invitation.pk}"
    post(letters=[Letter(invitation.player_id, MailKind.TEAM, key, {"invitation": invitation.pk})], now=now)


def post_captaincy(*, team: Team, now: datetime) -> None:
    """Post a mail to the new captain of a team, in the transaction in which they become it."""
    key = f"captain:{team.pk}:{team.captain_id}:{now.timestamp()}"
    post(letters=[Letter(team.captain_id, MailKind.TEAM, key, {"leads": team.pk})], now=now)


@writes(MailKind.TEAM)
def write_team_mail(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return who invites the player to which team, or which one they lead now; ``None`` if that is out of date."""
    return _captaincy(player, about["leads"]) if "leads" in about else _invitation(about["invitation"])


def _captaincy(player: Player, team_id: int) -> dict[str, Any] | None:
    """Return of which team the player is the captain now, and the invitations that wait for the answer."""
    team = Team.objects.filter(pk=team_id, captain=player, closed_at=None).first()
    if team is None:
        return None
    asked = open_invitations(player=player).filter(team=team)
    links = [(each.competition.name, invitation_link(each)) for each in asked]
    return {"team": team.name, "leads": True, "asked": links, "link": absolute(team.get_absolute_url())}


def _invitation(key: int) -> dict[str, Any] | None:
    waiting = TeamMembership.objects.filter(pk=key, status=MembershipStatus.INVITED)
    invitation = waiting.select_related("team__captain").first()
    if invitation is None:
        return None
    team = invitation.team
    return {"team": team.name, "captain": team.captain.username, "link": team_invitation_link(invitation)}
