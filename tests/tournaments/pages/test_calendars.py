"""The calendar of a cup, read as a program of calendars reads it."""

from datetime import timedelta

import pytest
from icalendar import Calendar

from formats.protocol import Part
from tests.tournaments.pages.parts import begin_groups, make_stages, play_rounds
from tests.tournaments.verbs import NOON, ROUND_ROBIN, make_cup, start_cup
from tournaments.models import CompetitionStatus, Cup, Round, Tie
from tournaments.office.services.log import log_action
from tournaments.pages.views.calendars import parts_played
from tournaments.records.brackets import drawn_ties
from tournaments.rounds.sentences import name_parts, name_rounds

pytestmark = pytest.mark.django_db

PATH = "/cups/cup/calendar.ics"
WEEK = timedelta(days=7)


def read(client):
    answer = client.get(PATH)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    calendar = Calendar.from_ical(answer.content)
    assert [event.errors for event in calendar.walk()] == [[]] * len(calendar.walk())
    return calendar


def events_of(client):
    return {str(event["uid"]).partition("@")[0]: event for event in read(client).walk("VEVENT")}


@pytest.fixture
def robin(db):
    """Make a round robin of four with a week for each round, in its first round."""
    cup, _entries = start_cup(4, **ROUND_ROBIN, round_days=7)
    return cup


def test_a_calendar_has_the_start_the_running_round_and_its_deadline_in_utc(robin, visitor):
    calendar = read(visitor)
    assert (str(calendar["version"]), str(calendar["x-wr-calname"])) == ("2.0", "Cup")
    events = events_of(visitor)
    base = f"competition-{robin.pk}-stage-1-group-1-round-1"
    assert set(events) == {f"competition-{robin.pk}-start", base, f"{base}-deadline"}
    round_ = events[base]
    assert (str(round_["summary"]), round_.decoded("dtstart"), round_.decoded("dtend")) == (
        "Cup: Round 1",
        NOON,
        NOON + WEEK,
    )
    deadline = events[f"{base}-deadline"]
    assert (str(deadline["summary"]), deadline.decoded("dtstart")) == ("Cup: Round 1 must end", NOON + WEEK)
    assert b"DTSTART:20261108T120000Z" in visitor.get(PATH).content
    assert "dtend" not in deadline
    assert deadline["url"].endswith("/cups/cup/")


def test_an_event_keeps_its_uid_and_its_sequence_grows_with_every_change(robin, visitor):
    before = events_of(visitor)
    key = f"competition-{robin.pk}-stage-1-group-1-round-1"
    Round.objects.filter(number=1).update(ends_at=NOON + 2 * WEEK)
    log_action(competition=robin, action="round-date", now=NOON + timedelta(hours=1))
    moved = events_of(visitor)
    assert moved[key].decoded("dtend") == NOON + 2 * WEEK
    assert int(moved[key]["sequence"]) > int(before[key]["sequence"])
    assert moved[key].decoded("dtstamp") == NOON + timedelta(hours=1)
    Round.objects.filter(number=1).update(ended_at=NOON + WEEK)
    ended = events_of(visitor)
    assert int(ended[key]["sequence"]) > int(moved[key]["sequence"])
    assert f"{key}-deadline" not in ended


def test_dates_are_tentative_while_the_clocks_stand_still_and_cancelled_with_the_cup(robin, visitor):
    def statuses():
        return {str(event["status"]) for event in events_of(visitor).values()}

    assert statuses() == {"CONFIRMED"}
    Cup.objects.update(paused_at=NOON)
    assert statuses() == {"CONFIRMED", "TENTATIVE"}
    Cup.objects.update(status=CompetitionStatus.CANCELLED)
    assert statuses() == {"CANCELLED"}


def test_a_cup_to_come_has_its_start(visitor, db):
    cup = make_cup(starts_at=NOON + WEEK)
    (event,) = events_of(visitor).values()
    assert (str(event["uid"]).partition("@")[0], event.decoded("dtstart")) == (
        f"competition-{cup.pk}-start",
        NOON + WEEK,
    )


def test_rounds_of_a_bracket_are_named_as_on_its_page(visitor, db):
    start_cup(4)
    assert {str(event["summary"]) for event in events_of(visitor).values()} == {"Cup: Start", "Cup: Semi-finals"}


def test_rounds_of_groups_are_named_with_them(visitor, db):
    cup = make_stages(8, grouping={"groups": 2, "size": None}, round_days=7)
    begin_groups(cup)
    play_rounds(cup, 1)
    titles = {str(event["summary"]) for event in events_of(visitor).values()}
    assert {"Cup: Group stage, Group A: Round 1", "Cup: Group stage, Group B: Round 2 must end"} <= titles


@pytest.mark.parametrize("name", ["a,b;c\nd", "a\r\nSTATUS:CANCELLED", "\x07bell\x1b", "„Überläufer“ " * 6])
def test_no_name_breaks_the_file(visitor, db, name):
    make_cup(name=name, starts_at=NOON)
    (event,) = read(visitor).walk("VEVENT")
    kept = "".join(each for each in name if each == "\n" or each.isprintable())
    assert (str(event["summary"]), str(event["status"])) == (f"{kept}: Start", "CONFIRMED")


def test_a_program_that_has_the_calendar_gets_it_once(robin, visitor):
    tag = visitor.get(PATH)["ETag"]
    assert visitor.get(PATH, headers={"If-None-Match": tag}).status_code == 304
    Cup.objects.update(paused_at=NOON)
    assert visitor.get(PATH, headers={"If-None-Match": tag}).status_code == 200


def test_of_very_many_rounds_a_calendar_has_the_latest(robin, visitor, settings):
    settings.MAX_CALENDAR_ROUNDS = 2
    Round.objects.update(started_at=NOON)
    titles = [str(event["summary"]) for event in read(visitor).walk("VEVENT")]
    assert [title for title in titles if "must" not in title] == ["Cup: Start", "Cup: Round 2", "Cup: Round 3"]


@pytest.mark.parametrize("format", ["knock-out", "double-elimination"])
def test_rounds_are_named_by_one_row_for_each_part_of_them(db, format):  # noqa: A002
    cup, _entries = start_cup(12, format=format)
    group = cup.first_stage.groups.get()
    ties = list(Tie.objects.filter(round__group=group).select_related("round").order_by("slot"))
    played = parts_played(list(Round.objects.filter(group=group)))[group.pk]
    assert set(played) == {(tie.round.number, Part(tie.part)) for tie in ties}
    assert len(played) < len(ties)
    assert list(name_parts(played).items()) == list(name_rounds(drawn_ties(ties)).items())


def test_the_page_of_a_cup_links_to_its_calendar(robin, visitor):
    assert f'href="{PATH}"' in visitor.get("/cups/cup/").content.decode()
