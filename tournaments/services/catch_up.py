"""Doing what is due in an event before anything else is done to it, so that no outcome depends on when a worker ran.

Whoever acts on an event (an organiser, a player or a rule) locks it and then calls ``catch_up``: matches that have
ended are counted, matches whose time has run out are lost, and rounds whose date has passed are cut short. All of it is
dated by its own moment and done in the order of these moments.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from matches.models import Match
from matches.models.match import RUNNING
from matches.services.expiring import expire_together, lock_to_expire
from players.errors import DomainError
from tournaments.models import NOT_STARTED, Event, EventStatus, Round, RoundEnd
from tournaments.selectors.cups import rounds_due
from tournaments.selectors.events import events_due
from tournaments.services.cups.cutting import cut_short
from tournaments.services.lifecycle.starting import start_event
from tournaments.services.settlement import settle_event


def catch_up(*, event: Event, now: datetime) -> int:
    """Do all that is due in an event by now, and read the event anew if anything was; return how much was done.

    The caller holds the event's lock, and has locked no player and no match yet. If a clock has run out, all running
    matches of the event are locked afterwards.
    """
    done = _start(event, now) if event.status in NOT_STARTED else 0
    if event.status == EventStatus.RUNNING:
        # What has begun in a round that was cut short is cut short in its turn.
        while more := sum(_cut_due_rounds(event, now)) + _expire_and_settle(event, now, now):
            done += more
    if done:
        event.refresh_from_db()
    return done


def cut_due_rounds(*, event: Event, now: datetime) -> int:
    """Cut a cup's rounds short whose time is over, as of their dates; return how many matches ended so.

    What was over by then comes first. The caller holds the event's lock.
    """
    ended, _ = _cut_due_rounds(event, now)
    return ended


def _start(event: Event, now: datetime) -> int:
    """Start an event whose time has come, if it can be started."""
    is_dated = event.starts_at is not None and event.starts_at <= now
    if not (is_dated or event.starts_when_full) or not events_due(now).filter(pk=event.pk).exists():
        return 0
    try:
        with transaction.atomic():
            start_event(event_id=event.pk, actor=None, now=now)
    except DomainError:
        return 0
    event.refresh_from_db()
    return 1


def _cut_due_rounds(event: Event, now: datetime) -> tuple[int, int]:
    """Return how many matches ended with their rounds, and how many before them were lost on time or settled."""
    rounds = list(rounds_due(now).filter(cup=event.pk))
    if rounds:
        lock_to_expire(matches=_running_in(event), now=now)
    ended = settled = 0
    for round_ in rounds:
        settled += _expire_and_settle(event, round_.ends_at or now, now)
        ended += _cut_if_due(event, round_, now)
    return ended, settled


def _cut_if_due(event: Event, round_: Round, now: datetime) -> int:
    if not rounds_due(now).filter(pk=round_.pk).exists():
        return 0
    at = round_.ends_at or now
    return cut_short(event=event, round=round_, policy=RoundEnd(round_.cup.at_round_end), actor=None, at=at)


def _expire_and_settle(event: Event, until: datetime, now: datetime) -> int:
    expired = expire_together(matches=_running_in(event), now=until)
    return expired + settle_event(event=event, until=until, now=now)


def _running_in(event: Event) -> QuerySet[Match]:
    return Match.objects.filter(RUNNING, competition=event.pk)
