"""Tell players by mail which team invites them, with links that answer without logging in."""

from datetime import datetime
from typing import Any

from django.core import signing
from django.urls import reverse

from players.mail_links import absolute
from players.models import MailKind, Player
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from tournaments.models import MembershipStatus, TeamMembership

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


@writes(MailKind.TEAM)
def write_invitation(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return who invites the player to which team, ``None`` if that has been answered or withdrawn."""
    waiting = TeamMembership.objects.filter(pk=about["invitation"], status=MembershipStatus.INVITED)
    invitation = waiting.select_related("team__captain").first()
    if invitation is None:
        return None
    team = invitation.team
    return {"team": team.name, "captain": team.captain.username, "link": team_invitation_link(invitation)}
