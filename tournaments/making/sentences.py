"""Sentences about series."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Series
from tournaments.models.season_dates import LEAP_YEAR, Rhythm


def rhythm_text(series: Series) -> str:
    """Return when the next season of a series comes."""
    if series.ended_at is not None:
        return _("There will be no more seasons.")
    if series.rhythm == Rhythm.DATES:
        days = [date_format(date(LEAP_YEAR, month, day), "j F") for month, day in series.calendar.days]
        return _("A season starts on each of these days: %(days)s.") % {"days": ", ".join(days)}
    return {
        Rhythm.WEEKLY: _("A season starts every week."),
        Rhythm.MONTHLY: _("A season starts every month."),
        Rhythm.AFTER_END: ngettext(
            "A season starts %d day after the end of the last one.",
            "A season starts %d days after the end of the last one.",
            series.announce_days,
        )
        % series.announce_days,
    }[Rhythm(series.rhythm)]


def carry_over_text(series: Series) -> str:
    """Return who comes along from season to season."""
    return _(series.carries.summary)
