"""Queue tasks and publish changes of competitions after the commit. Sweeps do the same work if a message is lost."""

from collections.abc import Mapping

from celery import current_app
from django.db import transaction

from matches.signals import rows_changed
from tournaments.models import Group, LogEntry

START_COMPETITION = "tournaments.tasks.start_competition"
ANNOUNCE_SEASON = "tournaments.tasks.announce_season"
PAIR_LADDER = "tournaments.tasks.pair_ladder"
PAIR_ROUND = "tournaments.tasks.pair_round"
RECOMPUTE_STANDINGS = "tournaments.tasks.recompute_standings"
RATE_FAMILY = "tournaments.tasks.rate_family"
SEND_NEWS = "tournaments.tasks.send_news"


def notify_start(*, competition_id: int) -> None:
    """Queue the start of a competition, once the transaction has committed."""
    _queue(START_COMPETITION, competition_id)


def notify_season(*, series_id: int) -> None:
    """Queue the announcement of a season that may be due, once the transaction has committed."""
    _queue(ANNOUNCE_SEASON, series_id)


def notify_pairing(*, ladder_id: int) -> None:
    """Queue the task that starts the games a ladder can start, once the transaction has committed."""
    _queue(PAIR_LADDER, ladder_id)


def notify_round_due(*, group_id: int) -> None:
    """Queue the task that draws a group's next round, once the transaction has committed."""
    _queue(PAIR_ROUND, group_id)


def notify_standings(*, group_id: int) -> None:
    """Queue the recomputation of a group's table, once the transaction has committed."""
    _queue(RECOMPUTE_STANDINGS, group_id)


def notify_ratings(*, family: str) -> None:
    """Queue the rating of a family's matches, once the transaction has committed."""
    _queue(RATE_FAMILY, family)


def notify_news() -> None:
    """Queue the task that notifies players by mail, once the transaction has committed."""
    _queue(SEND_NEWS)


def notify_players(*, log_id: int) -> None:
    """Publish a line of a log to streams, once the transaction has committed."""
    transaction.on_commit(lambda: _publish_log_line(log_id), robust=True)


def notify_tables(groups: Mapping[int, int]) -> None:
    """Publish, once the transaction has committed, that results or tables of groups of these competitions changed."""
    if groups:
        transaction.on_commit(lambda: _publish_tables(groups), robust=True)


def _queue(task: str, *about: int | str) -> None:
    transaction.on_commit(lambda: _send(task, *about), robust=True)


def _send(task: str, *about: int | str) -> None:
    current_app.send_task(task, args=list(about), retry=False)


def _publish_log_line(log_id: int) -> None:
    rows_changed.send(sender=LogEntry, kind="competition", ids=[log_id])


def _publish_tables(groups: Mapping[int, int]) -> None:
    topics = [("competition", competition) for competition in sorted({*groups.values()})]
    rows_changed.send(sender=Group, kind="table", ids=list(groups), topics=topics)
