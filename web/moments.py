"""Moments in words: in the reader's zone in mails, and in UTC in answers of the API and on pages without scripts."""

from argparse import ArgumentTypeError
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format


def format_moment(moment: datetime) -> str:
    """Return a moment, such as ``"12 Mar 2026, 18:30 UTC"``."""
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def format_day(moment: datetime) -> str:
    """Return the day of a moment, such as ``"12 Mar 2026"``."""
    return date_format(timezone.localtime(moment), "DATE_FORMAT")


def read_moment(text: str) -> datetime:
    """Return a moment from a command line; raises ``ArgumentTypeError`` for what is none. Without a zone it is UTC."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise ArgumentTypeError(f"{text!r} is no moment such as 2026-11-28T10:00Z")
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
