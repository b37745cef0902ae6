"""Stop mails to e-mails that they cannot reach, until their players confirm them again."""

import re
import smtplib
from collections.abc import Collection
from datetime import datetime

from django.db.models.functions import Lower

from players.models import Player

PERMANENT = 500
_ENHANCED_STATUS = re.compile(rb"5\.(\d{1,3})\.\d{1,3}\b")
ADDRESS, MAILBOX = 1, 2
"""The subjects of enhanced status codes (RFC 3463) that concern the recipient; others concern servers or the mail."""


def mark_bounced(*, emails: Collection[str], now: datetime) -> int:
    """Take e-mails as no longer confirmed, in any case of letters; return at how many accounts.

    Only a mail with the link that confirms them is sent there from then on.
    """
    folded = {email.lower() for email in emails if email and "\0" not in email}
    bounced = Player.objects.alias(folded=Lower("email")).exclude(email="").filter(folded__in=folded)
    return bounced.update(email_confirmed_at=None, email_bounced_at=now)


def reaches_nobody(error: Exception) -> bool:
    """Return whether a mail server refused a mail for good because of its recipient."""
    if not isinstance(error, smtplib.SMTPRecipientsRefused):
        return False
    return all(_concerns_recipient(code, message) for code, message in error.recipients.values())


def _concerns_recipient(code: int, message: bytes) -> bool:
    status = _ENHANCED_STATUS.match(message)
    return code >= PERMANENT and (status is None or int(status[1]) in {ADDRESS, MAILBOX})
