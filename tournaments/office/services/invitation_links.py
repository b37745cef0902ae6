"""Signed links in mails by which an invited player, captain or organiser answers without logging in."""

from django.core import signing
from django.urls import reverse

from players.mail_links import absolute
from tournaments.models import EntryInvitation, RoleInvitation

_SALT = "tournaments.invitation"
_SALT_OF_ROLES = "tournaments.role-invitation"


def invitation_link(invitation: EntryInvitation) -> str:
    """Return the link to the page that asks an invited player; it is good for as long as the invitation.

    That of a team is good for as long as its captain stays the captain.
    """
    return absolute(reverse("invitation-by-mail", args=[signing.dumps(_key_of(invitation), salt=_SALT)]))


def read_invitation_link(token: str) -> EntryInvitation | None:
    """Return the invitation of a link's token, withdrawn or not; ``None`` if it is not ours, or nothing is left."""
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    number = key[0] if isinstance(key, list) else key
    related = ("competition", "player", "team", "invited_by")
    invitation = EntryInvitation.objects.select_related(*related).filter(pk=number).first()
    return invitation if invitation is not None and _key_of(invitation) == key else None


def role_link(invitation: RoleInvitation) -> str:
    """Return the link to the page that asks a player to run a competition; it is good for as long as the invitation."""
    return absolute(reverse("invitation-by-mail", args=[signing.dumps(invitation.pk, salt=_SALT_OF_ROLES)]))


def read_role_link(token: str) -> RoleInvitation | None:
    """Return the invitation of a link's token, answered or not; ``None`` if it is not ours, or nothing is left."""
    try:
        number = signing.loads(token, salt=_SALT_OF_ROLES)
    except signing.BadSignature:
        return None
    return RoleInvitation.objects.select_related("competition", "player", "invited_by").filter(pk=number).first()


def _key_of(invitation: EntryInvitation) -> int | list[int]:
    return invitation.pk if invitation.team_id is None else [invitation.pk, invitation.player_id]
