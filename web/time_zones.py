"""The time zones of the IANA database, by their names."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

MAX_ZONE_LENGTH = 40
"""Characters; the longest name has 32."""


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of all zones, in order."""
    return tuple(sorted(available_timezones()))


def zone_of(name: str) -> ZoneInfo:
    """Return the zone with a name, UTC for none and for a name that the database has lost since."""
    try:
        return ZoneInfo(name or "UTC")
    except ZoneInfoNotFoundError:
        return ZoneInfo("UTC")
