"""What streams send of brackets is what their pages show, and all that has changed."""

import re
from random import Random

import pytest

from streams.changes import add_updates, read_named
from tests.tournaments.verbs import end, running, start_cup, start_ladder
from tournaments.models import Group
from tournaments.pages.views.bracket_rows import MAX_CHANGED, BracketRows

pytestmark = pytest.mark.django_db


def parts_of(html: str) -> dict[str, str]:
    """Return the ties and boxes in a text by their ids, without white space and the parts that boxes lead to."""
    found = re.finditer(r'<(li|a) id="((?:tie|box)-\d+)".*?</\1>', html, re.DOTALL)
    return {each[2]: re.sub(r"\s+|\?part=\d", "", each[0]) for each in found}


@pytest.mark.parametrize("options", [{"legs": 1}, {"legs": 2}, {"format": "double-elimination", "legs": 1}], ids=str)
def test_rows_bring_a_page_up_to_date(client, options):
    cup, _entries = start_cup(8, **options)
    group, rows, source = Group.objects.get(), BracketRows(), Random(1)
    rows.begin([cup.pk])
    shown, version = parts_of(client.get("/cups/cup/").content.decode()), group.results_version
    for _result in range(6):
        fixture = source.choice(running(cup))
        end(fixture, source.choice([fixture.yellow, fixture.red]))
        group.refresh_from_db()
        changed = rows.take(group.pk, group.results_version)
        assert changed is not None
        assert changed.since == version
        shown, version = shown | parts_of(changed.html), group.results_version
        assert shown == parts_of(client.get("/cups/cup/").content.decode())


def test_nothing_is_sent_of_what_is_not_known_or_too_much():
    cup, _entries = start_cup(4 * MAX_CHANGED, legs=1)
    group, rows = Group.objects.get(), BracketRows()
    assert rows.take(group.pk, 0) is None
    assert rows.take(group.pk, 0) == ("", 0)
    for fixture in running(cup)[: MAX_CHANGED + 1]:
        end(fixture, fixture.yellow)
    assert rows.take(group.pk, 1) is None
    ladder, _entries = start_ladder(2, prefix="other")
    rows.begin([ladder.pk])
    assert rows.take(ladder.first_stage.groups.get().pk, 0) is None


def test_only_streams_of_pages_are_sent_rows():
    cup, _entries = start_cup(4, legs=1)
    group = Group.objects.get()
    add_updates(read_named(table=[group.pk]), {("table", group.pk): set()})
    fixture = running(cup)[0]
    end(fixture, fixture.yellow)
    (silent,) = add_updates(read_named(table=[group.pk]), {})
    (change,) = add_updates(read_named(table=[group.pk]), {("table", group.pk): set()})
    assert silent.update is None
    assert change.update is not None
    assert f"tie-{fixture.tie_id}" in change.update.members_for(None)["rows"]
