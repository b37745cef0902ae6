"""Hours of the day in the time zones of players."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def next_hour_of_day(*, hour: int, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the first moment after ``now`` at which clocks of a time zone come to an hour of the day, in UTC.

    An hour that a day leaves out comes as late as if it had not; of one that comes twice it is the first.
    """
    moment = now.astimezone(zone).replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if moment.astimezone(UTC) <= now:
        moment += timedelta(days=1)
    return moment.astimezone(UTC)
