"""Notify other processes of changed matches and seeks, after the commit. Nothing depends on the messages arriving."""

from collections.abc import Sequence
from datetime import timedelta

from celery import current_app
from django.db import transaction

from matches.models import Match, Seek, SitePause, Status
from matches.selectors.changes import topics_of
from matches.selectors.site_pauses import remember_site_pause
from matches.signals import LOBBY, Topic, match_finished, matches_changed, matches_finished, rows_changed

MOVE_COMPUTER = "matches.tasks.move_computer"


def notify_move(match: Match) -> None:
    """Notify, after the commit, that a match has changed, and has ended or is a computer's turn.

    The rows are the truth and sweeps read them, so a broker that is down only delays what follows.
    """
    notify_matches([match])
    if match.status == Status.FINISHED:
        transaction.on_commit(lambda: _send_end(match.pk), robust=True)
    else:
        _call_computer_to_act(match)


def notify_started(matches: Sequence[Match]) -> None:
    """Notify, after the commit, that these matches have started, and call the computers that are to act."""
    notify_matches(matches)
    for match in matches:
        _call_computer_to_act(match)


def notify_matches(matches: Sequence[Match]) -> None:
    """Notify, after the commit, that these matches have changed, and whose they are."""
    players = {player for match in matches for player in (match.yellow_id, match.red_id)}
    ids, topics = [match.pk for match in matches], {topic for match in matches for topic in topics_of(match)}
    transaction.on_commit(lambda: _send_changes(ids, tuple(players), tuple(topics)), robust=True)


def notify_ended(match_ids: Sequence[int]) -> None:
    """Notify, after the commit, that these matches have ended, in one message."""
    if match_ids:
        notify_changed(match_ids)
        transaction.on_commit(lambda: _send_ends(match_ids), robust=True)


def notify_changed(match_ids: Sequence[int] = ()) -> None:
    """Notify, after the commit, that these matches have changed, or without ids that some have."""
    transaction.on_commit(lambda: _send_changes(match_ids), robust=True)


def notify_seek(seek: Seek) -> None:
    """Notify, after the commit, that a seek has changed."""
    players = [player for player in (seek.creator_id, seek.invited_id) if player is not None]
    topics = [LOBBY] if seek.is_in_lobby else []
    transaction.on_commit(lambda: _send_seek(seek.pk, players, topics), robust=True)


def notify_site_pause(pause: SitePause) -> None:
    """Tell, after the commit, all pages and streams that a pause of the site has begun or is over."""

    def send() -> None:
        remember_site_pause(pause)
        rows_changed.send(sender=SitePause, kind="pause", ids=[pause.pk], player_ids=[])

    transaction.on_commit(send, robust=True)


def call_computer(*, expires: timedelta | None = None) -> None:
    """Queue the task that plays the next turn of a computer; it is dropped if it has not started when it ``expires``.

    It names no match: the worker claims the next turn.
    """
    seconds = None if expires is None else expires.total_seconds()
    current_app.send_task(MOVE_COMPUTER, retry=False, expires=seconds)


def _call_computer_to_act(match: Match) -> None:
    player = match.player_to_act
    if player is not None and player.is_computer and match.paused_at is None:
        transaction.on_commit(call_computer, robust=True)


def _send_changes(match_ids: Sequence[int], player_ids: Sequence[int] = (), topics: Sequence[Topic] = ()) -> None:
    matches_changed.send(sender=Match, match_ids=match_ids, player_ids=player_ids, topics=topics)


def _send_seek(seek_id: int, player_ids: Sequence[int], topics: Sequence[Topic]) -> None:
    rows_changed.send(sender=Seek, kind="seek", ids=[seek_id], player_ids=player_ids, topics=topics)


def _send_end(match_id: int) -> None:
    match_finished.send(sender=Match, match_id=match_id)


def _send_ends(match_ids: Sequence[int]) -> None:
    matches_finished.send(sender=Match, match_ids=match_ids)
