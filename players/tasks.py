"""Background tasks. Each only calls a service, and may run twice or late."""

from celery import shared_task

from database.clock import current_moment, read_clock
from players.services import held_names, mail_delivery
from players.services.sessions import clear_expired_sessions


@shared_task(name="players.tasks.send_due_mails")
def send_due_mails() -> None:
    """Send the mails that are due."""
    mail_delivery.send_due(clock=read_clock)


@shared_task(name="players.tasks.clear_outbox")
def clear_outbox() -> None:
    """Give up mails that could not be sent for days, and delete those that were sent or given up long ago."""
    now = current_moment()
    try:
        mail_delivery.give_up_old(now=now)
    finally:
        mail_delivery.forget_old(now=now)


@shared_task(name="players.tasks.clear_sessions")
def clear_sessions() -> None:
    """Forget sessions that have expired."""
    clear_expired_sessions()


@shared_task(name="players.tasks.free_names")
def free_names() -> None:
    """Forget the names of deleted accounts that anybody can take again."""
    held_names.free_names(now=current_moment())
