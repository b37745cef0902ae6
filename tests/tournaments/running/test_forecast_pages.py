"""Forecasts on the page of a cup, on its organisers' desk, and over the API."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.rounds.test_levels import start_levels
from tests.tournaments.running.test_forecasts import begin_knock_out
from tournaments.models import Competition, Forecast
from tournaments.pages.template_tags import range_in_words
from tournaments.running.forecast_ranges import Range

pytestmark = pytest.mark.django_db

MADE = datetime(2026, 11, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
API = "/api/v1/competitions/cup/"


@pytest.fixture
def cup():
    """Return a running cup with a forecast."""
    cup = begin_knock_out()
    fixture = cup.fixtures.filter(counted_at=None, round__number=1).get()
    ends = {
        f"{what}_{name}": MADE + (days + more) * DAY
        for what, days in (("round", 1), ("stage", 6), ("whole", 6))
        for name, more in (("early", 0), ("likely", 1), ("late", 3))
    }
    holds_up = [[fixture.match_id, fixture.red_id], [fixture.match_id, 0]]
    Forecast.objects.create(competition=cup, made_at=MADE, due_at=MADE, round_number=1, holds_up=holds_up, **ends)
    return cup


def test_the_page_says_when_the_round_and_the_cup_will_probably_end_and_who_takes_longest(cup, client):
    page = text_of(client.get("/cups/cup/"))
    assert "Round 1 6 Nov 2026 (between 5 Nov 2026 and 8 Nov 2026 )" in page
    assert "The whole cup 11 Nov 2026 (between 10 Nov 2026 and 13 Nov 2026 )" in page
    fixture = cup.fixtures.get(counted_at=None, round__number=1)
    assert f"Takes longest: {fixture.red.player} against {fixture.yellow.player}" in page
    assert "Stage 1" not in page


def test_the_stage_is_named_where_others_follow(cup, client):
    Forecast.objects.update(whole_early=None, whole_likely=None, whole_late=None)
    page = text_of(client.get("/cups/cup/"))
    assert "Stage 1 11 Nov 2026 (between 10 Nov 2026 and 13 Nov 2026 )" in page
    assert "The whole cup" not in page


def test_a_level_is_called_so(cup, client):
    Forecast.objects.update(whole_early=None, whole_likely=None, whole_late=None)
    cup.stages.update(advance={"first": 0, "above_percent": 50, "levels": 4})
    page = text_of(client.get("/cups/cup/"))
    assert "Level 1 11 Nov 2026 (between 10 Nov 2026 and 13 Nov 2026 )" in page
    assert "Stage 1" not in page


def test_a_cup_in_levels_says_what_plays_and_that_others_may_join(client):
    cup, _players = start_levels(3)
    ends = {f"stage_{name}": MADE for name in ("early", "likely", "late")}
    ends |= {f"whole_{name}": MADE + 9 * DAY for name in ("early", "likely", "late")}
    Forecast.objects.create(competition=cup, made_at=MADE, due_at=MADE, **ends)
    page = text_of(client.get(cup.get_absolute_url()))
    assert "The current groups 4 Nov 2026" in page
    assert "The whole cup, if nobody else joins 13 Nov 2026" in page
    cup.stages.update(late_entry=False)
    assert "if nobody else joins" not in text_of(client.get(cup.get_absolute_url()))


def test_organisers_see_it_on_their_desk(cup, client):
    olga = Player.objects.create(username="olga")
    cup.organisers.add(olga)
    client.force_login(olga)
    assert "The whole cup 11 Nov 2026" in text_of(client.get("/cups/cup/organise/"))


def test_the_api_has_it(cup, client):
    slower = cup.fixtures.get(counted_at=None, round__number=1)
    forecast = client.get(API).json()["forecast"]
    assert forecast == {
        "made_at": "2026-11-04T12:00:00Z",
        "stage": 1,
        "round": 1,
        "round_ends": {
            "early": "2026-11-05T12:00:00Z",
            "likely": "2026-11-06T12:00:00Z",
            "late": "2026-11-08T12:00:00Z",
        },
        "stage_ends": forecast["ends"],
        "ends": {
            "early": "2026-11-10T12:00:00Z",
            "likely": "2026-11-11T12:00:00Z",
            "late": "2026-11-13T12:00:00Z",
        },
        "holds_up": [{"match": slower.match_id, "player": slower.red.player.username}],
    }


def test_it_is_not_shown_while_the_cup_is_paused_and_before_there_is_one(cup, client):
    Competition.objects.update(paused_at=MADE)
    assert "When it will probably end" not in text_of(client.get("/cups/cup/"))
    assert client.get(API).json()["forecast"] is None
    Competition.objects.update(paused_at=None)
    Forecast.objects.all().delete()
    assert "When it will probably end" not in text_of(client.get("/cups/cup/"))
    assert client.get(API).json()["forecast"] is None


def test_a_narrow_range_is_named_by_the_hour_and_a_wide_one_by_the_day():
    narrow, wide = (Range(MADE, MADE + DAY, MADE + days * DAY) for days in (1, 2))
    assert 'data-local="moment"' in range_in_words(narrow)
    assert 'data-local="day"' in range_in_words(wide)


def test_a_range_of_one_moment_names_it_once():
    assert range_in_words(Range(MADE, MADE, MADE)).count("<time") == 1
    assert range_in_words(Range(MADE, MADE, MADE + timedelta(hours=1))).count("<time") == 3
