"""The moments and days that people may name, on forms, over the API and in the admin.

Between these bounds no time that is added or taken away leaves the calendar.
"""

from datetime import UTC, date, datetime, time, timedelta

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from database.clock import current_moment
from web.moments import format_day

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
MAX_YEARS_AHEAD = 20
END_OF_CALENDAR = datetime(2200, 1, 1, tzinfo=UTC)
"""The end of what is stored: what people may name grows by a year each year, a constraint does not."""


def end_of_bounds(now: datetime) -> datetime:
    """Return the first moment that lies too far ahead: the end of the twentieth year after this one."""
    return datetime(now.astimezone(UTC).year + MAX_YEARS_AHEAD + 1, 1, 1, tzinfo=UTC)


def check_bounds(value: datetime | date) -> None:
    """Raise ``ValidationError`` for a moment or a day outside the bounds.

    It is a validator of forms, of models and of the API.
    """
    end = end_of_bounds(current_moment())
    moment = value if isinstance(value, datetime) else datetime.combine(value, time(), UTC)
    if not EARLIEST <= moment < end:
        raise ValidationError(
            _("Choose a date from %(first)s to %(last)s.")
            % {"first": format_day(EARLIEST), "last": format_day(end - timedelta(days=1))},
            code="out_of_bounds",
        )


def within_calendar(field: str) -> Q:
    """Return the condition of a constraint: the moment is empty, or arithmetic with it ends in the calendar."""
    return Q(**{field: None}) | Q(**{f"{field}__gte": EARLIEST, f"{field}__lt": END_OF_CALENDAR})
