"""Whom to wake when a competition has something to do: only after the commit, and sweeps do it where nobody heard."""

from __future__ import annotations

from celery import current_app
from django.db import transaction

from tournaments.models import LogEntry
from tournaments.signals import players_concerned

START_COMPETITION = "tournaments.tasks.start_competition"
PAIR_LADDER = "tournaments.tasks.pair_ladder"
RECOMPUTE_STANDINGS = "tournaments.tasks.recompute_standings"
RATE_FAMILY = "tournaments.tasks.rate_family"
TELL_NEWS = "tournaments.tasks.send_news"


def notify_start(*, competition_id: int) -> None:
    """Queue the start of a competition, once the transaction has committed."""
    _ring(START_COMPETITION, competition_id)


def notify_pairing(*, ladder_id: int) -> None:
    """Queue the look for games that a ladder can start, once the transaction has committed."""
    _ring(PAIR_LADDER, ladder_id)


def notify_standings(*, competition_id: int) -> None:
    """Queue the recomputation of a competition's table, once the transaction has committed."""
    _ring(RECOMPUTE_STANDINGS, competition_id)


def notify_ratings(*, family: str) -> None:
    """Queue the rating of a family's matches, once the transaction has committed."""
    _ring(RATE_FAMILY, family)


def notify_news() -> None:
    """Queue the look for what players are to be told by mail, once the transaction has committed."""
    _ring(TELL_NEWS)


def notify_players(*, log_id: int) -> None:
    """Have streams look at this line of a log, once the transaction has committed."""
    transaction.on_commit(lambda: _tell_players(log_id), robust=True)


def _ring(task: str, *about: int | str) -> None:
    transaction.on_commit(lambda: _send(task, *about), robust=True)


def _send(task: str, *about: int | str) -> None:
    current_app.send_task(task, args=list(about), retry=False)


def _tell_players(log_id: int) -> None:
    players_concerned.send(sender=LogEntry, log_ids=[log_id])
