"""Signed links in mails by which a player who is invited to a team answers without logging in."""

from __future__ import annotations

from django.core import signing
from django.urls import reverse

from players.mail_links import absolute
from tournaments.models import TeamMembership

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
