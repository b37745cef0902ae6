"""Moments in words, and as elements that a script rewrites."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.template import Context, Template

from web.moments import format_day, format_moment

EVENING = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))


@pytest.mark.parametrize("moment", [EVENING, EVENING.astimezone(TOKYO)])
def test_a_moment_is_written_in_utc_whatever_its_zone(moment):
    assert (format_moment(moment), format_day(moment)) == ("12 Mar 2026, 18:30 UTC", "12 Mar 2026")


@pytest.mark.parametrize(
    ("form", "element"),
    [
        ("moment", '<time datetime="2026-03-12T18:30:00+00:00" data-local="moment">12 Mar 2026, 18:30 UTC</time>'),
        ("day", '<time datetime="2026-03-12T18:30:00+00:00" data-local="day">12 Mar 2026</time>'),
    ],
)
def test_a_page_has_a_moment_for_machines_and_in_words(form, element):
    template = Template(f"{{% load moments %}}{{{{ value|{form} }}}}")
    assert template.render(Context({"value": EVENING})) == element
    assert template.render(Context({"value": None})) == ""


def test_every_other_date_has_the_same_form():
    assert Template("{{ value }} · {{ value|date }}").render(Context({"value": EVENING})) == (
        "12 Mar 2026, 18:30 UTC · 12 Mar 2026"
    )
