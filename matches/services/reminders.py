"""Reminders of deadlines that are near, as many hours before as each player has chosen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction

from matches.models import ReminderMark
from matches.selectors.notifications import Turn, turns_near_deadline
from players.models import REMINDER_HOURS, MailKind
from players.models.mail import usual_reminders
from players.selectors import players_to_mail
from players.services.outbox import Letter, post

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
        if any(_came_near(turn, number * HOUR, since, now) for number in hours.get(turn.player_id, ())):
            by_player[turn.player_id].append(turn.pk)
    return [
        Letter(player_id, MailKind.DEADLINE, f"deadline:{player_id}:{now.isoformat()}", {"matches": matches})
        for player_id, matches in by_player.items()
    ]


def _came_near(turn: Turn, left: timedelta, since: datetime, now: datetime) -> bool:
    """Return whether the turn, begun with more time, had just so much left between the two moments."""
    return turn.turn_started_at < turn.deadline - left and since < turn.deadline - left <= now


def _hours_of(players: Collection[int]) -> dict[int, list[int]]:
    """Return the hours before a deadline at which each player is reminded, for those who want reminders."""
    wanting = players_to_mail(kind=MailKind.DEADLINE).filter(pk__in=players)
    chosen = wanting.values_list("pk", "mail_settings__reminder_hours")
    return {player_id: usual_reminders() if hours is None else hours for player_id, hours in chosen}
