"""Notifications by mail of turns and of finished matches.

``is_notified`` of a match changes in the transaction that posts the letter. So a move costs nothing more, the next
sweep posts what a process that died has left, and nothing is posted twice.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db import transaction

from matches.models import Match, ReminderMark
from matches.selectors.notifications import (
    Turn,
    lock_ends_to_notify,
    lock_turns_to_notify,
    lock_turns_to_notify_of,
    turns_near_deadline,
    turns_of,
)
from players.models import REMINDER_HOURS, MailKind
from players.models.mail import usual_reminders
from players.presence import present_among
from players.selectors import players_to_mail
from players.services.mail_settings import claim_daily_mails
from players.services.outbox import Letter, post

NOTIFICATION_DELAY = timedelta(minutes=5)
"""The time for which a turn waits for others that fit into the same mail, or for its player to visit the site."""

BATCH = 500
DAILY_BATCH = 50
MAX_IN_DAILY = 100
"""The most turns that a daily mail names, the nearest deadlines first."""


def send_turn_notifications(*, now: datetime, batch: int = BATCH) -> int:
    """Post letters about turns that have waited for some minutes; return how many letters.

    Each player gets one letter about all their turns, the youngest too, unless they want a daily one. A player who is
    on the site gets it after leaving, unless they have moved by then.
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


def send_daily_notifications(*, now: datetime, batch: int = DAILY_BATCH) -> int:
    """Post letters about all their turns to players whose hour of the day has come; return how many letters."""
    posted = 0
    while True:
        with transaction.atomic():
            due = claim_daily_mails(now=now, limit=batch)
            if not due:
                return posted
            posted += post(letters=_daily_letters(due, now), now=now)


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
    at_once = players_to_mail(kind=MailKind.TURN).filter(pk__in=away, mail_settings__turns_daily_at=None)
    reachable = set(at_once.values_list("pk", flat=True))
    turns += lock_turns_to_notify_of(players=reachable, since=now - NOTIFICATION_DELAY, limit=limit)
    notified = [turn for turn in turns if turn.player_id in away]
    by_player: dict[int, list[Turn]] = defaultdict(list)
    for turn in notified:
        if turn.player_id in reachable:
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


def _daily_letters(players: list[int], now: datetime) -> list[Letter]:
    by_player: dict[int, list[int]] = defaultdict(list)
    for turn in turns_of(players=players, now=now):
        by_player[turn.player_id].append(turn.pk)
    return [
        Letter(player_id, MailKind.TURN, f"daily:{player_id}:{now.isoformat()}", {"matches": matches[:MAX_IN_DAILY]})
        for player_id, matches in by_player.items()
    ]


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


HOUR = timedelta(hours=1)


def remind_players(*, now: datetime) -> int:
    """Remind players of the deadlines that came near since the last call; return how many letters were posted.

    The moment of the last call is locked, and stored anew in the same transaction, so no two calls post the same
    reminder. A player is reminded again of a deadline that was moved away and has come near again. After a time without
    calls each player gets one letter about all deadlines that came near meanwhile.
    """
    with transaction.atomic():
        mark = ReminderMark.objects.select_for_update(skip_locked=True).filter(until__lt=now).first()
        if mark is not None:
            since, mark.until = mark.until, now
            mark.save(update_fields=["until"])
            turns = turns_near_deadline(since=since, until=now, hours=REMINDER_HOURS)
            return post(letters=_letters(turns, since, now), now=now)
    # There is none before the first call; otherwise another one is being made, or was made later.
    ReminderMark.objects.get_or_create(pk=ReminderMark.ONLY, defaults={"until": now})
    return 0


def _letters(turns: list[Turn], since: datetime, now: datetime) -> list[Letter]:
    hours = _hours_of({turn.player_id for turn in turns})
    by_player: dict[int, list[int]] = defaultdict(list)
    for turn in turns:
        if any(came_near(turn, number * HOUR, since, now) for number in hours.get(turn.player_id, ())):
            by_player[turn.player_id].append(turn.pk)
    return [
        Letter(player_id, MailKind.DEADLINE, f"deadline:{player_id}:{now.isoformat()}", {"matches": matches})
        for player_id, matches in by_player.items()
    ]


def came_near(turn: Turn, left: timedelta, since: datetime, now: datetime) -> bool:
    """Return whether the turn, begun with more time, had just so much left between the two moments."""
    return turn.turn_started_at < turn.deadline - left and since < turn.deadline - left <= now


def _hours_of(players: Collection[int]) -> dict[int, list[int]]:
    """Return the hours before a deadline at which each player is reminded, for those who want reminders."""
    wanting = players_to_mail(kind=MailKind.DEADLINE).filter(pk__in=players)
    chosen = wanting.values_list("pk", "mail_settings__reminder_hours")
    return {player_id: usual_reminders() if hours is None else hours for player_id, hours in chosen}
