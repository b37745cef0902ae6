"""The dates by which rounds must end: given by the cup's days, or set by its organisers."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from players.models import Player
from tournaments.errors import InvalidRoundDate, WrongEventStatus
from tournaments.models import Cup, Event, Round
from tournaments.models.event import MOST_DAYS
from tournaments.selectors.organising import check_organiser
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action

FARTHEST = timedelta(days=MOST_DAYS)
"""How far ahead a round can be let end."""


def set_round_date(*, round: Round, ends_at: datetime | None, actor: Player | None, now: datetime) -> Round:  # noqa: A002
    """Give a round that has not ended another date by which it must end, or none, and return it.

    A round that was cut short goes on. Raises ``NotAnOrganiser``, ``WrongEventStatus``, or ``InvalidRoundDate`` for a
    date that has passed, lies more than ten years ahead, or is out of the order of rounds that follow each other.
    """
    with transaction.atomic():
        event = lock_event(event_id=round.cup_id)
        check_organiser(event=event, player=actor)
        fresh = Round.objects.select_related("cup").get(pk=round.pk)
        if fresh.ended_at is not None:
            raise WrongEventStatus("The round has ended.")
        if ends_at is not None:
            _check(fresh, ends_at, now)
        fresh.ends_at, fresh.dated_at, fresh.cut_short_at = ends_at, now, None
        fresh.save(update_fields=["ends_at", "dated_at", "cut_short_at"])
        told = "none" if ends_at is None else f"{ends_at:%Y-%m-%d %H:%M}"
        log_action(event=event, action="round-date", actor=actor, subject=f"{fresh.number}: {told}", now=now)
    return fresh


def date_by_rule(*, round: Round, cup: Cup, now: datetime) -> None:  # noqa: A002
    """Let a round end, from now on, when the cup's days for it are over. It is not stored; the caller does that."""
    round.ends_at = None if cup.round_days is None else now + timedelta(days=cup.round_days)
    round.dated_at = None


def date_at_start(*, round: Round, cup: Cup, now: datetime) -> None:  # noqa: A002
    """Give a round that begins its date, unless it has one that is still to come. The caller stores it."""
    if round.ends_at is None or round.ends_at <= now:
        date_by_rule(round=round, cup=cup, now=now)


def move_dates(*, event: Event, paused_at: datetime, now: datetime) -> None:
    """Give open rounds later dates by the length of the pause, or of what they saw of it if they began during it.

    A date that was set during the pause was meant as it is, and stays.
    """
    dated = Round.objects.filter(cup_id=event.pk, ended_at=None, cut_short_at=None, ends_at__isnull=False)
    rounds = [each for each in dated if each.dated_at is None or each.dated_at < paused_at]
    for each in rounds:
        if each.ends_at is not None:
            each.ends_at += now - max(paused_at, each.started_at or paused_at)
    Round.objects.bulk_update(rounds, ["ends_at"])


def _check(round_: Round, ends_at: datetime, now: datetime) -> None:
    if not now < ends_at <= now + FARTHEST:
        raise _refuse("The date has to lie ahead, ten years at most.")
    cup = round_.cup
    if cup.is_played_at_once:
        return
    dated = Round.objects.filter(cup=cup, ended_at=None, ends_at__isnull=False)
    if dated.filter(number__lt=round_.number, ends_at__gt=ends_at).exists():
        raise _refuse("A round before this one ends later.")
    if dated.filter(number__gt=round_.number, ends_at__lt=ends_at).exists():
        raise _refuse("A round after this one ends earlier.")


def _refuse(sentence: str) -> InvalidRoundDate:
    return InvalidRoundDate(sentence, fields={"ends_at": [sentence]})
