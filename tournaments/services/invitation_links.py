"""Signed links in mails by which an invited player answers without logging in."""

from __future__ import annotations

from django.core import signing
from django.urls import reverse

from players.mail_links import absolute
from tournaments.models import EntryInvitation

_SALT = "tournaments.invitation"


def invitation_link(invitation: EntryInvitation) -> str:
    """Return the link to the page that asks an invited player; it is good for as long as the invitation."""
    return absolute(reverse("invitation-by-mail", args=[signing.dumps(invitation.pk, salt=_SALT)]))


def read_invitation_link(token: str) -> EntryInvitation | None:
    """Return the invitation of a link's token, withdrawn or not; ``None`` if it is not ours, or nothing is left."""
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return EntryInvitation.objects.select_related("competition", "player", "invited_by").filter(pk=key).first()
