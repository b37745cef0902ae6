"""Telling players by mail that it is their turn, and that their matches are over.

The match is the row that says what there is to tell, and ``is_notified`` that it has been: both change in one
transaction with the outbox. So a move costs nothing more, whatever dies in between is told by the next sweep, and
nothing twice.
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
"""How long a turn waits for others that are told in the same mail, or for its player to come by himself."""

BATCH = 500


def send_turn_notifications(*, now: datetime, batch: int = BATCH) -> int:
    """Tell players of turns that have waited for some minutes; return to how many a letter was posted.

    Each gets one letter about all his turns, the youngest too. Who is on the site just now is told when he has left it,
    if he has not moved by then.
    """
    posted = 0
    last: Turn | None = None
    while True:
        with transaction.atomic():
            turns = lock_turns_to_notify(before=now - NOTIFICATION_DELAY, after=last, limit=batch)
            if not turns:
                return posted
            last = turns[-1]
            posted += _tell_turns(turns, now, batch)


def send_end_notifications(*, now: datetime, batch: int = BATCH) -> int:
    """Tell both players of matches that are over; return how many letters were posted, one to a player at a time."""
    posted = 0
    while True:
        with transaction.atomic():
            ended = lock_ends_to_notify(limit=batch)
            if not ended:
                return posted
            posted += _tell_ends(ended, now)


def _tell_turns(turns: list[Turn], now: datetime, limit: int) -> int:
    players = {turn.player_id for turn in turns}
    away = players - present_among(players)
    reachable = set(players_to_mail(kind=MailKind.TURN).filter(pk__in=away).values_list("pk", flat=True))
    turns += lock_turns_to_notify_of(players=reachable, since=now - NOTIFICATION_DELAY, limit=limit)
    told = [turn for turn in turns if turn.player_id in away]
    by_player: dict[int, list[Turn]] = defaultdict(list)
    for turn in told:
        by_player[turn.player_id].append(turn)
    letters = [
        Letter(
            player_id,
            MailKind.TURN,
            f"turn:{player_id}:{his[0].pk}:{his[0].ply}",
            {"matches": [turn.pk for turn in his]},
        )
        for player_id, his in by_player.items()
    ]
    _note_told(turn.pk for turn in told)
    return post(letters=letters, now=now)


def _tell_ends(ended: list[Match], now: datetime) -> int:
    by_player: dict[int, list[int]] = defaultdict(list)
    for match in ended:
        by_player[match.yellow_id].append(match.pk)
        by_player[match.red_id].append(match.pk)
    letters = [
        Letter(player_id, MailKind.END, f"end:{player_id}:{matches[0]}", {"matches": matches})
        for player_id, matches in by_player.items()
    ]
    _note_told(match.pk for match in ended)
    return post(letters=letters, now=now)


def _note_told(match_ids: Iterable[int]) -> None:
    """Note on locked matches that there is nothing more to tell."""
    Match.objects.filter(pk__in=list(match_ids)).update(is_notified=True)
