"""The hour of the day at which a daily mail is sent."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from players.local_time import next_hour_of_day


@pytest.mark.parametrize(
    ("zone", "hour", "now", "then"),
    [
        ("UTC", 8, "2026-11-30 07:59", "2026-11-30 08:00"),
        ("UTC", 8, "2026-11-30 08:00", "2026-12-01 08:00"),
        ("UTC", 0, "2026-12-31 12:00", "2027-01-01 00:00"),
        ("Asia/Kathmandu", 8, "2026-11-30 02:14", "2026-11-30 02:15"),
        ("Pacific/Auckland", 8, "2026-11-30 18:30", "2026-11-30 19:00"),
        ("America/Los_Angeles", 20, "2026-11-30 03:00", "2026-11-30 04:00"),
        # Clocks go from 2 to 3 at 01:00 UTC, and in autumn from 3 back to 2.
        ("Europe/Berlin", 8, "2026-03-28 07:30", "2026-03-29 06:00"),
        ("Europe/Berlin", 2, "2026-03-28 12:00", "2026-03-29 01:00"),
        ("Europe/Berlin", 2, "2026-10-25 00:00", "2026-10-26 01:00"),
        ("Europe/Berlin", 2, "2026-10-25 00:30", "2026-10-26 01:00"),
    ],
)
def test_an_hour_comes_once_a_day_where_the_player_is(zone, hour, now, then):
    moments = [datetime.fromisoformat(moment).replace(tzinfo=UTC) for moment in (now, then)]
    assert next_hour_of_day(hour=hour, zone=ZoneInfo(zone), now=moments[0]) == moments[1]
