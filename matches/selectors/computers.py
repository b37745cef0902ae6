"""Finding matches in which a computer is to act."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from matches.models import Match, Status
from players.models import Player
from rules_engine.values import Side


def matches_waiting_for_computers(*, since: datetime) -> QuerySet[Match]:
    """Return the matches in which nothing has happened since then and a computer is to act, the oldest first."""
    # As numbers rather than as a subquery: only so can the indexes of both sides be used.
    computers = list(Player.objects.filter(is_computer=True).values_list("pk", flat=True))
    to_act = Q(side=Side.YELLOW, yellow__in=computers) | Q(side=Side.RED, red__in=computers)
    return Match.objects.filter(to_act, status=Status.PLAYING, paused_at=None, last_event_at__lte=since).order_by(
        "last_event_at", "pk"
    )
