"""Send what is in the outbox: each mail once, or at worst twice, and no request waits for a mail server.

A sender claims a mail by a conditional UPDATE, which also sets its next attempt: if the sender dies meanwhile, another
one sends it after that. A mail goes out twice only if the sender dies between the server's reply and the next UPDATE.
"""

import smtplib
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parseaddr

import structlog
from django.core.cache import cache
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend

from players.models import Delivery, DeliveryState
from players.selectors import due_deliveries
from players.services.bounces import PERMANENT, mark_bounced, reaches_nobody
from players.services.mail_writers import write_mail
from players.services.outbox import notify_outbox
from players.services.outbox_rows import claim, error_text, finish, note_error

BATCH = 200
DELIVERY_TIMEOUT = timedelta(days=3)
MAIL_LIFETIME = timedelta(days=30)
SERVER_RETRY_DELAY = timedelta(seconds=50)
"""The time for which a server that cannot be reached is left alone."""

ABOUT_ONE_MAIL = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)
"""Errors of a mail server that concern one mail only. All others, and silence, concern the server."""

_SERVER_AWAY = "mail-server-away"

logger = structlog.get_logger(__name__)


class _ServerAwayError(Exception):
    """The mail server takes no mail at present."""


def send_due(*, clock: Callable[[], datetime], limit: int = BATCH) -> int:
    """Send up to ``limit`` mails that are due, over one connection, and return how many were sent.

    ``clock`` returns the time of each step. A mail that cannot be written or is refused does not stop the others; a
    server that cannot be reached ends the batch and is left alone for a while. If more mails may be due, another batch
    is queued.
    """
    if _is_server_away():
        return 0
    connection = get_connection()
    sent = 0
    due = list(due_deliveries(now=clock()).select_related("player")[:limit])
    try:
        for delivery in due:
            if claim(delivery, now=clock()):
                sent += _send(delivery, connection, clock)
        if len(due) == limit:
            notify_outbox()
    except _ServerAwayError:
        _leave_server_alone()
    finally:
        _close(connection)
    return sent


def give_up_old(*, now: datetime) -> int:
    """Give up the mails that could not be sent for three days, and return how many."""
    old = Delivery.objects.filter(
        state=DeliveryState.PENDING, next_attempt_at__lte=now, created_at__lte=now - DELIVERY_TIMEOUT
    )
    return old.update(state=DeliveryState.FAILED, done_at=now)


def forget_old(*, now: datetime) -> int:
    """Delete the mails that were sent or given up a month ago, and return how many."""
    forgotten, _by_model = Delivery.objects.filter(done_at__lte=now - MAIL_LIFETIME).delete()
    return forgotten


def _send(delivery: Delivery, connection: BaseEmailBackend, clock: Callable[[], datetime]) -> bool:
    """Write and send a mail that is claimed, and store what became of it; return whether it was sent."""
    try:
        mail = write_mail(delivery=delivery, now=clock(), connection=connection)
    except Exception as error:
        logger.exception("mail_not_written", delivery=delivery.pk)
        note_error([delivery], error)
        return False
    if mail is None:
        finish([delivery], DeliveryState.DROPPED, now=clock())
        return False
    try:
        connection.open()
        mail.send()
    except Exception as error:
        logger.warning("mail_not_sent", delivery=delivery.pk, error=error_text(error))
        note_error([delivery], error)
        if _is_refused_for_good(error):
            if reaches_nobody(error):
                mark_bounced(emails=[parseaddr(recipient)[1] for recipient in mail.to], now=clock())
            finish([delivery], DeliveryState.FAILED, now=clock())
        elif isinstance(error, OSError) and not isinstance(error, ABOUT_ONE_MAIL):
            raise _ServerAwayError from error
        return False
    finish([delivery], DeliveryState.SENT, now=clock())
    return True


def _is_refused_for_good(error: Exception) -> bool:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _message in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= PERMANENT


def _is_server_away() -> bool:
    try:
        return cache.get(_SERVER_AWAY) is not None
    except Exception as error:  # noqa: BLE001 - without a cache the server is simply tried
        logger.warning("mail_server_not_known", error=str(error))
        return False


def _leave_server_alone() -> None:
    try:
        cache.set(_SERVER_AWAY, True, SERVER_RETRY_DELAY.total_seconds())
    except Exception as error:  # noqa: BLE001 - without a cache the server is simply tried
        logger.warning("mail_server_not_noted", error=str(error))


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except OSError as error:
        logger.info("mail_connection_not_closed", error=str(error))
