"""Who is told when a match has changed. Only after the commit, and nothing depends on being heard."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from celery import current_app
from django.db import transaction

from matches.models import Match, Seek, Status
from matches.signals import match_finished, matches_changed, matches_finished, seeks_changed

MOVE_COMPUTER = "matches.tasks.move_computer"


def notify_move(match: Match) -> None:
    """Tell, once the transaction has committed, that the match has changed, and is over or the computer's to play.

    The rows are the truth and sweeps read them, so a broker that is down delays what follows and
    can't harm what was stored.
    """
    notify_changed([match.pk])
    if match.status == Status.FINISHED:
        transaction.on_commit(lambda: _announce_end(match.pk), robust=True)
    else:
        _call_computer_to_act(match)


def notify_started(matches: Sequence[Match]) -> None:
    """Tell, once the transaction has committed, that these matches have begun, and call the computers to act."""
    notify_changed([match.pk for match in matches])
    for match in matches:
        _call_computer_to_act(match)


def notify_many(match_ids: Sequence[int]) -> None:
    """Tell, once the transaction has committed, that these matches are over: one message for all of them."""
    if match_ids:
        notify_changed(match_ids)
        transaction.on_commit(lambda: _announce_ends(match_ids), robust=True)


def notify_changed(match_ids: Sequence[int] = ()) -> None:
    """Tell, once the transaction has committed, that these matches have changed; without any, that some have."""
    transaction.on_commit(lambda: _announce_changes(match_ids), robust=True)


def notify_seeks(seek_ids: Sequence[int]) -> None:
    """Tell, once the transaction has committed, that these seeks have changed."""
    transaction.on_commit(lambda: _announce_seeks(seek_ids), robust=True)


def call_computer(*, expires: timedelta | None = None) -> None:
    """Queue the task that plays the next turn of a computer; it is dropped if it has not begun before it ``expires``.

    It names no match: which turn is next is decided when a worker is free.
    """
    seconds = None if expires is None else expires.total_seconds()
    current_app.send_task(MOVE_COMPUTER, retry=False, expires=seconds)


def _call_computer_to_act(match: Match) -> None:
    player = match.player_to_act
    if player is not None and player.is_computer and match.paused_at is None:
        transaction.on_commit(call_computer, robust=True)


def _announce_changes(match_ids: Sequence[int]) -> None:
    matches_changed.send(sender=Match, match_ids=match_ids)


def _announce_seeks(seek_ids: Sequence[int]) -> None:
    seeks_changed.send(sender=Seek, seek_ids=seek_ids)


def _announce_end(match_id: int) -> None:
    match_finished.send(sender=Match, match_id=match_id)


def _announce_ends(match_ids: Sequence[int]) -> None:
    matches_finished.send(sender=Match, match_ids=match_ids)
