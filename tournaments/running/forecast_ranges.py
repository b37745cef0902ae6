"""The ranges of moments that forecasts say: how they follow from the ends of scenarios, and how finely.

Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

EARLY, LATE = 0.1, 0.9

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
STEPS = ((2 * HOUR, MINUTE), (DAY, 10 * MINUTE))
"""The units to which moments are rounded up, by the time up to which they lie ahead; hours beyond."""

MAX_AHEAD = 100 * 365 * DAY
"""The longest time ahead of which anything is said: of a later end it is said that it lies so far ahead."""

IN_DAYS = 36 * HOUR
"""The ends of a wider range are named by their days alone."""


@dataclass(frozen=True, slots=True)
class Range:
    """The probable end of something: in eight of ten cases from ``early`` to ``late``."""

    early: datetime
    likely: datetime
    late: datetime

    @property
    def is_in_days(self) -> bool:
        """Return whether it is so wide that hours would pretend to know more than is known."""
        return self.late - self.early > IN_DAYS


def make_range(now: datetime, ends: Sequence[float]) -> Range:
    """Return the range of these ends, rounded to what can be known: nobody knows the minute of next month."""
    ordered = sorted(ends)
    early, likely, late = (ordered[round(share * (len(ordered) - 1))] for share in (EARLY, 0.5, LATE))
    step = next((step for ahead, step in STEPS if likely <= ahead.total_seconds()), HOUR)
    return Range(*(_round_up(moment_after(now, each), step) for each in (early, likely, late)))


def moment_after(now: datetime, seconds: float) -> datetime:
    """Return the moment so many seconds from now, at most a hundred years."""
    return now + timedelta(seconds=min(seconds, MAX_AHEAD.total_seconds()))


def _round_up(moment: datetime, step: timedelta) -> datetime:
    """Return the first whole step since midnight at or after a moment."""
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + ceil((moment - midnight) / step) * step
