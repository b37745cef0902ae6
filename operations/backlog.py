"""The backlog: rows that wait for the background work, and since when."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Min, QuerySet
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from database.clock import current_moment
from matches.models import Match, MatchAnalysis, Status
from matches.models.analysis import UNFINISHED
from matches.selectors.clocks import overdue_matches
from matches.selectors.computers import matches_waiting_for_computers
from players.models import Delivery, DeliveryState, Player
from tournaments.models import Group, RatingDue
from tournaments.records.groups import groups_to_pair

Waiting = tuple[QuerySet, str]
"""The waiting rows, and the field that says since when."""


def _overdue(now: datetime) -> Waiting:
    return overdue_matches(now), "deadline"


def _unsettled(now: datetime) -> Waiting:
    return Match.objects.filter(status=Status.FINISHED, settled_at=None), "finished_at"


def _computers(now: datetime) -> Waiting:
    return matches_waiting_for_computers(since=now), "last_move_at"


def _analyses(now: datetime) -> Waiting:
    return MatchAnalysis.objects.filter(UNFINISHED), "requested_at"


def _rounds(now: datetime) -> Waiting:
    return groups_to_pair(), "pairing_due_since"


def _standings(now: datetime) -> Waiting:
    return Group.objects.filter(standings_stale_since__isnull=False), "standings_stale_since"


def _ratings(now: datetime) -> Waiting:
    return RatingDue.objects.all(), "match__settled_at"


def _news(now: datetime) -> Waiting:
    return Match.objects.filter(status=Status.FINISHED, is_notified=False), "finished_at"


def _mails(now: datetime) -> Waiting:
    return Delivery.objects.filter(state=DeliveryState.PENDING), "created_at"


def _closings(now: datetime) -> Waiting:
    return Player.objects.filter(is_active=False, closing_finished_at=None), "closed_at"


KINDS: dict[str, Callable[[datetime], Waiting]] = {
    "overdue_turn": _overdue,
    "settlement": _unsettled,
    "computer": _computers,
    "analysis": _analyses,
    "round": _rounds,
    "standings": _standings,
    "rating": _ratings,
    "news": _news,
    "mail": _mails,
    "closing": _closings,
}


class Queue(NamedTuple):
    """The number of rows of a kind that wait, and the seconds for which the oldest has waited: 0 if none does."""

    kind: str
    number: int
    oldest: float


def measure_waiting(now: datetime) -> Iterator[Queue]:
    """Yield the backlog of every kind, counted by partial indexes."""
    for kind, find in KINDS.items():
        waiting, since = find(now)
        found = waiting.order_by().aggregate(number=Count("pk"), since=Min(since))
        oldest = max(0.0, (now - found["since"]).total_seconds()) if found["since"] else 0.0
        yield Queue(kind, found["number"], oldest)


class WaitingCollector(Collector):
    """Counts the backlog when metrics are collected."""

    def collect(self) -> Iterable[Metric]:
        """Yield the size of each kind's backlog, and how long its oldest row has waited."""
        number = GaugeMetricFamily("kickabout_waiting", "Rows that wait for the background work.", labels=["kind"])
        oldest = GaugeMetricFamily(
            "kickabout_waiting_oldest_seconds", "Seconds that the oldest of them has waited.", labels=["kind"]
        )
        for queue in measure_waiting(current_moment()):
            number.add_metric([queue.kind], queue.number)
            oldest.add_metric([queue.kind], queue.oldest)
        yield number
        yield oldest
