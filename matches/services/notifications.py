"""Notifications by mail of turns and of finished matches.

``is_notified`` of a match changes in the transaction that posts the letter. So a move costs nothing more, the next
sweep posts what a process that died has left, and nothing is posted twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from matches.models import Match
from matches.selectors.notifications import Turn, lock_ends_to_notify, lock_turns_to_notify, lock_turns_to_notify_of
from players.models import MailKind
from players.presence import present_among
from players.selectors import players_to_mail
from players.services.outbox import Letter, post

NOTIFICATION_DELAY = timedelta(minutes=5)
"""The time for which a turn waits for others that fit into the same mail, or for its player to visit the site."""

BATCH = 500


def send_turn_notifications(*, now: datetime, batch: int = BATCH) -> int:
    """Post letters about turns that have waited for some minutes; return how many letters.

    Each player gets one letter about all their turns, the youngest too. A player who is on the site gets it after
    leaving, unless they have moved by then.
    """
    posted = 0
    last: Turn | None = None
    while True:
        with transaction.atomic():
            turns = lock_turns_to_notify(before=now - NOTIFICATION_DELAY, after=last, limit=batch)
            if not turns:
                return posted
            last = turns[-1]
            posted += _post_turns(turns, now, batch)


def send_end_notifications(*, now: datetime, batch: int = BATCH) -> int:
    """Post letters about finished matches to both players; return how many, one for each player and batch."""
    posted = 0
    while True:
        with transaction.atomic():
            ended = lock_ends_to_notify(limit=batch)
            if not ended:
                return posted
            posted += _post_ends(ended, now)


def _post_turns(turns: list[Turn], now: datetime, limit: int) -> int:
    players = {turn.player_id for turn in turns}
    away = players - present_among(players)
    reachable = set(players_to_mail(kind=MailKind.TURN).filter(pk__in=away).values_list("pk", flat=True))
    turns += lock_turns_to_notify_of(players=reachable, since=now - NOTIFICATION_DELAY, limit=limit)
    notified = [turn for turn in turns if turn.player_id in away]
    by_player: dict[int, list[Turn]] = defaultdict(list)
    for turn in notified:
        by_player[turn.player_id].append(turn)
    letters = [
        Letter(
            player_id,
            MailKind.TURN,
            f"turn:{player_id}:{own[0].pk}:{own[0].ply}",
            {"matches": [turn.pk for turn in own]},
        )
        for player_id, own in by_player.items()
    ]
    _mark_notified(turn.pk for turn in notified)
    return post(letters=letters, now=now)


def _post_ends(ended: list[Match], now: datetime) -> int:
    by_player: dict[int, list[int]] = defaultdict(list)
    for match in ended:
        by_player[match.yellow_id].append(match.pk)
        by_player[match.red_id].append(match.pk)
    letters = [
        Letter(player_id, MailKind.END, f"end:{player_id}:{matches[0]}", {"matches": matches})
        for player_id, matches in by_player.items()
    ]
    _mark_notified(match.pk for match in ended)
    return post(letters=letters, now=now)


def _mark_notified(match_ids: Iterable[int]) -> None:
    """Mark locked matches as notified."""
    Match.objects.filter(pk__in=list(match_ids)).update(is_notified=True)
