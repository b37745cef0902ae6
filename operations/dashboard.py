"""The admin's dashboard: the backlog, and mails that were given up."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from operations.backlog import Queue, measure_waiting
from players.models import Delivery, DeliveryState

TITLES: dict[str, str | Promise] = {
    "overdue_turn": _("Matches whose time has run out"),
    "settlement": _("Finished matches to count"),
    "computer": _("Matches in which the computer is to act"),
    "analysis": _("Analyses of matches"),
    "round": _("Rounds to draw"),
    "standings": _("Tables to recompute"),
    "rating": _("Matches to rate"),
    "news": _("Finished matches without a notification"),
    "mail": _("E-mails to send"),
    "closing": _("Closed accounts with something still running"),
}


def show_waiting(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add ``queues`` and ``mails`` to the page's context, for superusers only."""
    if not getattr(request.user, "is_superuser", False):
        return context
    now = current_moment()
    return context | {"queues": [_describe(queue, now) for queue in measure_waiting(now)], "mails": _count_mails()}


def _describe(queue: Queue, now: datetime) -> dict[str, Any]:
    since = now - timedelta(seconds=queue.oldest)
    return {
        "title": TITLES[queue.kind],
        "number": queue.number,
        "oldest": timesince(since, now) if queue.number else "",
    }


def _count_mails() -> list[dict[str, Any]]:
    """Return the mails that need attention, each kind with the URL of its list."""
    mails = reverse("admin:players_delivery_changelist")
    retried = Delivery.objects.filter(state=DeliveryState.PENDING, attempts__gt=0).count()
    failed = Delivery.objects.filter(state=DeliveryState.FAILED).count()
    return [
        {"title": _("E-mails that failed so far"), "number": retried, "link": f"{mails}?progress=retried"},
        {"title": _("E-mails given up"), "number": failed, "link": f"{mails}?progress=failed"},
    ]
