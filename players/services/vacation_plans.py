"""Plan days of vacation, and cancel plans."""

from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import DayHasBegun, DayNotPlanned, InvalidDates, NoVacationLeft
from players.models import Player, VacationDay
from players.selectors import days_of, vacation_in

MAX_DAYS_AHEAD = timedelta(days=366)
"""The longest time ahead for which a day can be planned."""


def lock_vacation(*, player_id: int) -> Player:
    """Return the player, locked until the transaction ends: everything that adds or removes days holds it.

    The lock comes after those of competitions and before those of matches.
    """
    return Player.objects.select_for_update(no_key=True).get(pk=player_id)


def plan_vacation(*, player: Player, first: date, last: date, now: datetime) -> list[VacationDay]:
    """Plan the days from ``first`` to ``last`` (UTC) and return them; those planned before stay as they are.

    Raises InvalidDates unless they are in order, from tomorrow to a year ahead, and NoVacationLeft when there are
    more than the player has left in a year; then none is planned.
    """
    today = now.astimezone(UTC).date()
    if not today < first <= last <= today + MAX_DAYS_AHEAD:
        raise InvalidDates(
            _("You can plan days from tomorrow up to a year ahead. The first day cannot be after the last.")
        )
    starts = [_midnight(first + timedelta(days=number)) for number in range((last - first).days + 1)]
    with transaction.atomic():
        lock_vacation(player_id=player.pk)
        days = days_of(player=player).filter(starts_at__in=starts)
        known = set(days.values_list("starts_at", flat=True))
        new = [moment for moment in starts if moment not in known]
        for year in sorted({moment.year for moment in new}):
            left = vacation_in(player=player, year=year, now=now).left
            if sum(moment.year == year for moment in new) > left:
                raise NoVacationLeft(
                    _("You have %(left)d days of vacation left in %(year)d.") % {"left": left, "year": year}
                )
        VacationDay.objects.bulk_create(
            VacationDay(player=player, starts_at=moment, is_planned=True, noted_at=now) for moment in new
        )
        return list(days.all())


def cancel_day(*, player: Player, day: date, now: datetime) -> None:
    """Take a planned day back. Raises DayNotPlanned, or DayHasBegun: a day that has begun is spent."""
    with transaction.atomic():
        lock_vacation(player_id=player.pk)
        planned = days_of(player=player).filter(starts_at=_midnight(day), is_planned=True).first()
        if planned is None:
            raise DayNotPlanned(_("You have not planned this day."))
        if planned.starts_at <= now:
            raise DayHasBegun(_("This day has started, so you cannot cancel it."))
        planned.delete()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
