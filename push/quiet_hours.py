"""The hours of the day in which a player is told nothing."""

from datetime import datetime
from zoneinfo import ZoneInfo

from players.local_time import next_hour_of_day
from push.models import PushSettings


def end_of_quiet(settings: PushSettings, *, zone: ZoneInfo, now: datetime) -> datetime:
    """Return when a player may be told something: at the end of the quiet hours if it is one of them, else now."""
    begin, end = settings.quiet_from, settings.quiet_until
    if begin is None or end is None:
        return now
    since_begin = (now.astimezone(zone).hour - begin) % 24
    return now if since_begin >= (end - begin) % 24 else next_hour_of_day(hour=end, zone=zone, now=now)
