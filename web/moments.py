"""Moments in words, in UTC, for mails, answers of the API, and pages before a script knows the reader's zone."""

from datetime import UTC, datetime

from django.utils.formats import date_format


def format_moment(moment: datetime) -> str:
    """Return a moment, such as ``"12 Mar 2026, 18:30 UTC"``."""
    return date_format(moment.astimezone(UTC), "DATETIME_FORMAT")


def format_day(moment: datetime) -> str:
    """Return the day of a moment, such as ``"12 Mar 2026"``."""
    return date_format(moment.astimezone(UTC), "DATE_FORMAT")
