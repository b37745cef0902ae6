"""Organisers move players in the queues of a mini cup."""

from datetime import timedelta

import pytest
from django.test import Client

from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.rounds.test_levels import MINUTE, enter, groups_of, let_win, start_levels, waiting, work
from tests.tournaments.verbs import NOON
from tournaments.models import Cup, LogEntry

LATER = NOON + timedelta(hours=1)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def cup(stored: None) -> Cup:
    cup, _players = start_levels(8, organiser=verbs.make_olga())
    return cup


def move(cup: Cup, name: str, place: int, **sent: object) -> str:
    """Let an organiser give a player this place, by the pages; return what the preview says."""
    client = Client()
    client.force_login(cup.organisers.get())
    page = f"/cups/{cup.slug}/organise/entries/{verbs.entry_of(cup, name).pk}/move-in-queue/"
    body = {"level": "1", "place": str(place), "reason": "They asked.", **sent}
    preview = client.post(page, body)
    assert preview.status_code == 200
    seen = preview.context["seen"]
    done = client.post(page, body | {"seen": seen})
    assert done.status_code == 302, text_of(done)
    return text_of(preview)


def test_who_is_moved_to_the_front_plays_first(cup):
    preview = move(cup, "player-8", 1)
    assert "Queue at Level 1: 1. player-8, 2. player-7." in preview
    assert waiting(cup) == ["8", "7"]
    enter(cup, verbs.make_players(1, prefix="player-9-")[0])
    assert groups_of(cup)[2] == ["8", "7", "9--1"]
    work(cup)


def test_a_move_is_logged_mailed_to_those_whose_places_change_and_taken_back_by_another(cup):
    verbs.give_addresses()
    verbs.send_mails()
    move(cup, "player-8", 1)
    move(cup, "player-8", 1)
    line = LogEntry.objects.get(competition=cup, action="queue-moved")
    assert (str(line.actor), line.subject, line.reason) == ("olga", "player-8", "They asked.")
    assert line.changes == [{"what": "Queue at Level 1", "old": "2", "new": "1"}]
    mails = verbs.send_mails()
    assert sorted(mails) == ["player-7", "player-8"]
    assert "olga has moved player-8 in the queue of Cup" in mails["player-7"]
    move(cup, "player-8", 2)
    assert waiting(cup) == ["7", "8"]


@pytest.mark.parametrize(("name", "sent"), [("player-1", {"place": 1}), ("player-7", {"place": 3})])
def test_who_does_not_wait_and_a_place_that_there_is_not_are_refused(cup, name, sent):
    client = Client()
    client.force_login(cup.organisers.get())
    api = f"/api/v1/competitions/{cup.slug}/entries/{verbs.entry_of(cup, name).pk}/move-in-queue/"
    answer = client.post(api, {"reason": "No.", **sent}, content_type="application/json")
    assert (answer.status_code, waiting(cup)) == (404 if name == "player-1" else 400, ["7", "8"])


def test_a_move_stays_when_a_result_is_corrected_and_who_goes_on_by_it_waits_behind_who_came_before(stored):
    olga = verbs.make_olga()
    cup, _players = start_levels(
        12, organiser=olga, grouping={"whenever": 4}, advance={"first": 1, "above_percent": None, "levels": 3}
    )
    for group, names in enumerate((("1", "2", "3", "4"), ("5", "6", "7", "8"), ("9", "10", "11", "12")), start=1):
        let_win(cup, group, *names, now=NOON + group * MINUTE)
    work(cup)
    move(cup, "player-9", 1, level="2")
    assert waiting(cup, 2) == ["9", "1", "5"]
    for fixture in cup.fixtures.filter(group__number=2, group__stage__number=1).select_related("yellow", "red"):
        if {str(fixture.yellow), str(fixture.red)} == {"player-5", "player-6"}:
            verbs.correct(fixture, Side.YELLOW if str(fixture.yellow) == "player-6" else Side.RED, olga, LATER)
    work(cup, LATER)
    assert waiting(cup, 2) == ["9", "1", "6"]
