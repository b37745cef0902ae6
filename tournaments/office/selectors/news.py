"""The latest news of a competition: what its log says, and its results."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F

from tournaments.models import SITTING, Competition, Fixture, LogEntry
from tournaments.office.selectors.changes import listed_lines
from tournaments.records.groups import group_of


def latest_news(competition: Competition, *, limit: int) -> list[LogEntry | Fixture]:
    """Return the latest lines of the log and results that count, the latest first. Two queries."""
    log = listed_lines(competition)
    results = (
        Fixture.objects.filter(competition_id=competition.pk, finished_at__isnull=False, is_annulled=False)
        .exclude(counted_at=None)
        .select_related(*SITTING, "round__group__stage")
        .order_by(F("finished_at").desc(), "-pk")
    )
    if competition.is_endless:
        # It has one group, by which an index leads to the latest.
        results = results.filter(group=group_of(competition))
    news: list[LogEntry | Fixture] = [*log[:limit], *results[:limit]]
    return sorted(news, key=_order, reverse=True)[:limit]


def _order(news: LogEntry | Fixture) -> tuple[datetime | None, bool, int]:
    if isinstance(news, LogEntry):
        return news.logged_at, False, news.pk
    return news.finished_at, True, news.pk
