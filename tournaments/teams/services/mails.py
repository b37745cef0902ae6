"""Tell players by mail which team invites them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from players.models import MailKind, Player
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from tournaments.models import MembershipStatus, TeamMembership
from tournaments.teams.services.links import team_invitation_link


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
