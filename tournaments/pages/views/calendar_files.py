"""iCalendar files (RFC 5545), all moments in UTC."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from icalendar import Calendar, Event, vDuration

from web.storable_text import printable

REFRESH_INTERVAL = timedelta(hours=1)


class CalendarFile:
    """A calendar that programs read again every hour."""

    def __init__(self, name: str) -> None:
        """Begin an empty calendar of this name."""
        self._calendar = Calendar()
        self._calendar.add("prodid", "-//Kickabout//Competitions//EN")
        self._calendar.add("version", "2.0")
        self._calendar.add("x-wr-calname", printable(name))
        self._calendar.add("refresh-interval", vDuration(REFRESH_INTERVAL), parameters={"VALUE": "DURATION"})

    def add(
        self,
        *,
        key: str,
        title: str,
        path: str,
        begins: datetime,
        ends: datetime | None = None,
        revision: int,
        changed_at: datetime,
        status: str = "CONFIRMED",
    ) -> None:
        """Add an event under a key that stays; ``revision`` only grows. ``path`` is the page about it."""
        event = Event()
        event.add("uid", f"{key}@{urlsplit(settings.SITE_URL).hostname}")
        event.add("sequence", revision)
        event.add("dtstamp", changed_at)
        event.add("dtstart", begins)
        if ends is not None and ends > begins:
            event.add("dtend", ends)
        event.add("summary", printable(title))
        event.add("url", f"{settings.SITE_URL}{path}")
        event.add("status", status)
        event.add("transp", "TRANSPARENT")
        self._calendar.add_component(event)

    def __bytes__(self) -> bytes:
        return bytes(self._calendar.to_ical())
