"""Filters that show moments. They print UTC; ``static/js/local-times.js`` shows it in the reader's zone."""

from datetime import UTC, datetime

from django import template
from django.utils.html import format_html

from web.moments import format_day, format_moment

register = template.Library()
register.filter("moment_in_words", format_moment)
register.filter("day_in_words", format_day)


@register.filter
def moment(value: datetime | None) -> str:
    """Return a ``<time>`` with the day and the time, empty for no moment."""
    return "" if value is None else _element(value, "moment", format_moment(value))


@register.filter
def day(value: datetime | None) -> str:
    """Return a ``<time>`` with the day, empty for no moment."""
    return "" if value is None else _element(value, "day", format_day(value))


def _element(value: datetime, form: str, words: str) -> str:
    iso = value.astimezone(UTC).isoformat(timespec="seconds")
    return format_html('<time datetime="{}" data-local="{}">{}</time>', iso, form, words)
