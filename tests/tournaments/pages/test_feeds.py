"""The feed of a competition, and what other sites show of a link to it."""

import re
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest

from rules_engine.values import Side
from tests.matches.test_queries import queries_of
from tests.tournaments.pages.parts import begin_groups, make_stages
from tests.tournaments.verbs import (
    NOON,
    ROUND_ROBIN,
    boss,
    correct,
    make_cup,
    make_ladder,
    play_some,
    points_ladder,
    start_cup,
)
from tournaments.decisions.services.undo.corrections import take_back_correction
from tournaments.models import Fixture, LogEntry
from tournaments.office.services.log import log_action

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
FEED = "/cups/cup/feed/"


def read(client, path=FEED):
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    return ET.fromstring(answer.content)


def entries_of(client, path=FEED):
    return read(client, path).findall(f"{ATOM}entry")


def texts(entries, name):
    return [entry.findtext(f"{ATOM}{name}") for entry in entries]


@pytest.fixture
def robin(db):
    cup, _entries = start_cup(4, **ROUND_ROBIN)
    play_some(cup, 2)
    return cup


def test_a_feed_has_results_and_the_log_the_latest_first(robin, visitor):
    log_action(competition=robin, action="announced", reason="Tea at five", now=NOON + timedelta(days=3))
    feed = read(visitor)
    assert (feed.findtext(f"{ATOM}title"), feed.findtext(f"{ATOM}subtitle")) == ("Cup", "Round robin")
    entries = feed.findall(f"{ATOM}entry")
    titles = texts(entries, "title")
    assert titles[0] == "Announced"
    assert [title for title in titles if re.search(r"player-\d \d–\d player-\d", title or "")] == titles[1:3]
    updated = texts(entries, "updated")
    assert updated == sorted(updated, reverse=True)
    assert len(set(texts(entries, "id"))) == len(entries)
    latest = Fixture.objects.exclude(counted_at=None).select_related("round").order_by("-finished_at")[0]
    points = f"{latest.points.yellow}–{latest.points.red}"
    said = f"<p>Round {latest.round.number}<br>Match points: {points}<br>By decision.</p>"
    assert entries[1].findtext(f"{ATOM}summary") == said
    assert entries[1].find(f"{ATOM}link").get("href").endswith(f"/matches/{latest.match_id}/")


def test_a_result_that_was_corrected_is_updated_then(robin, visitor):
    corrected = Fixture.objects.exclude(counted_at=None).select_related("yellow", "red").order_by("finished_at")[0]
    at = NOON + timedelta(days=9)
    correct(corrected, Side.RED, boss(), at)
    assert shown_of(visitor, corrected) == (corrected.finished_at.isoformat(), at.isoformat())
    at += timedelta(days=1)
    take_back_correction(fixture_id=corrected.pk, confirm=True, actor=boss(), reason="No.", now=at)
    assert shown_of(visitor, corrected) == (corrected.finished_at.isoformat(), at.isoformat())


def shown_of(visitor, fixture):
    """Return when a result was published, and updated."""
    (entry,) = [each for each in entries_of(visitor) if f"result-{fixture.pk}" in each.findtext(f"{ATOM}id")]
    return entry.findtext(f"{ATOM}published"), entry.findtext(f"{ATOM}updated")


def test_a_result_that_was_annulled_is_no_news(robin, visitor):
    Fixture.objects.exclude(counted_at=None).update(is_annulled=True)
    assert not [title for title in texts(entries_of(visitor), "title") if "–" in title]


def test_no_text_becomes_html_or_breaks_the_feed(visitor, db):
    cup = make_cup(name="<b>Cup</b> \x07& \ufffeCo")
    line = log_action(competition=cup, action="announced", now=NOON)
    # As rows may be that were written before texts were checked.
    LogEntry.objects.filter(pk=line.pk).update(reason="<script>x</script>\x1b\uffff\nHi")
    feed = read(visitor)
    assert feed.findtext(f"{ATOM}title") == "<b>Cup</b> & Co"
    summary = texts(feed.findall(f"{ATOM}entry"), "summary")[0]
    assert summary == "<p>&lt;script&gt;x&lt;/script&gt;<br>Hi</p>"


def test_a_feed_has_so_many_items_at_most_and_costs_the_same_at_any_size(robin, visitor, settings):
    small = len(queries_of(lambda: read(visitor)))
    for number in range(8):
        log_action(competition=robin, action="announced", reason=str(number), now=NOON + timedelta(days=9))
    play_some(robin, 3, seed=2)
    assert len(queries_of(lambda: read(visitor))) == small <= 4
    settings.MAX_FEED_ITEMS = 3
    assert [summary[3] for summary in texts(entries_of(visitor), "summary")] == ["7", "6", "5"]


def test_a_program_that_has_the_feed_gets_it_once(robin, visitor):
    tag = visitor.get(FEED)["ETag"]
    assert visitor.get(FEED, headers={"If-None-Match": tag}).status_code == 304


def test_a_ladder_has_a_feed_too(visitor, db):
    points_ladder(4, results=2)
    assert len([title for title in texts(entries_of(visitor, "/ladders/ladder/feed/"), "title") if "–" in title]) == 2


# Links on other sites


def meta_of(client, path):
    page = client.get(path).content.decode()
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)"\s+content="([^"]*)">', page)), page


def test_a_link_to_a_competition_has_a_title_a_picture_and_a_feed(visitor, db):
    make_cup()
    make_ladder()
    for path, name in (("/cups/cup/", "Cup"), ("/ladders/ladder/", "Ladder")):
        meta, page = meta_of(visitor, path)
        assert (meta["og:title"], meta["og:url"]) == (name, f"http://testserver{path}")
        assert meta["og:image"].startswith(f"http://testserver{path}preview.png?v=")
        assert "open for entry" in meta["og:description"]
        assert f'href="{path}feed/"' in page


def test_a_link_to_a_group_names_it(visitor, db):
    cup = make_stages(8, grouping={"groups": 2, "size": None})
    begin_groups(cup)
    meta, _page = meta_of(visitor, "/cups/cup/stages/1/groups/2/")
    assert meta["og:title"] == "Group B · Cup"
